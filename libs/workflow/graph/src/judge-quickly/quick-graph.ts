import { holdsText, sameText, byteText } from './byte-text.js';
import type { JsonCursor } from './json-cursor.js';
import { Takes, UNKNOWN_CLASS, type QuickClass, type QuickClasses, type QuickInput } from './quick-class.js';

/** What one node holds at most; the limit on inputs may be lower, not higher. */
const MAX_HELD = 256;
/** What a node of an unknown class holds at most: the names are compared with each other, as there are none to compare with. */
const MAX_HELD_UNKNOWN = 16;
const CLASS_TYPE = byteText('class_type');
const INPUTS = byteText('inputs');
const META = byteText('_meta');
const TITLE = byteText('title');

const enum Held {
  Text,
  EscapedText,
  Number,
  Truth,
  Link,
}

/** Bounds on a graph, in nodes, links, held inputs and bytes. */
export interface QuickLimits {
  readonly maxNodes: number;
  readonly maxLinks: number;
  readonly maxInputsPerNode: number;
  readonly maxNodeIdBytes: number;
  readonly maxStringBytes: number;
}

/** The nodes and links of a graph as they are read: ranges of the document, no values. */
export class QuickGraph {
  nodes = 0;
  links = 0;
  keys = 0;
  readonly classes: QuickClass[] = [];
  readonly idStarts: number[] = [];
  readonly idStops: number[] = [];
  readonly idHashes: number[] = [];
  /** Node `i` holds the links `linkStarts[i] .. linkStarts[i + 1] - 1`. */
  readonly linkStarts: number[] = [0];
  readonly linkInputs: QuickInput[] = [];
  readonly linkIds: number[] = [];
  readonly linkIdStops: number[] = [];
  readonly linkHashes: number[] = [];
  readonly linkSlots: number[] = [];
  /** Nodes whose class the engine does not have, with the place where it is named. */
  readonly unknown: { readonly node: number; readonly start: number; readonly stop: number }[] = [];

  constructor(
    private readonly cursor: JsonCursor,
    private readonly known: QuickClasses,
    private readonly limits: QuickLimits,
  ) {}

  /** Reads the object of nodes; false where the full check must look. */
  read(): boolean {
    const { cursor, limits } = this;
    if (!cursor.take(0x7b)) return false;
    do {
      if (!cursor.key() || cursor.stop - cursor.start > limits.maxNodeIdBytes) return false;
      if (++this.nodes > limits.maxNodes) return false;
      this.keys++;
      this.idStarts.push(cursor.start);
      this.idStops.push(cursor.stop);
      this.idHashes.push(cursor.hash);
      if (!this.readNode()) return false;
      this.linkStarts.push(this.links);
    } while (cursor.take(0x2c));
    return cursor.take(0x7d);
  }

  private readNode(): boolean {
    const { cursor } = this;
    const { bytes } = cursor;
    let nodeClass: QuickClass | null = null;
    let held = -1;
    let hasMeta = false;
    if (!cursor.take(0x7b)) return false;
    do {
      if (!cursor.key()) return false;
      this.keys++;
      const { start, stop, hash } = cursor;
      if (hash === INPUTS.hash && holdsText(bytes, start, stop, INPUTS)) {
        if (held >= 0) return false;
        held = this.readInputs();
        if (held < 0) return false;
      } else if (hash === CLASS_TYPE.hash && holdsText(bytes, start, stop, CLASS_TYPE)) {
        if (nodeClass !== null || !cursor.plainString()) return false;
        nodeClass = this.known.find(bytes, cursor.start, cursor.stop, cursor.hash);
        if (nodeClass === null) return false;
        if (nodeClass === UNKNOWN_CLASS)
          this.unknown.push({ node: this.nodes - 1, start: cursor.start, stop: cursor.stop });
      } else if (hash === META.hash && holdsText(bytes, start, stop, META)) {
        if (hasMeta || !this.readMeta()) return false;
        hasMeta = true;
      } else return false;
    } while (cursor.take(0x2c));
    if (nodeClass === null || held < 0 || !cursor.take(0x7d)) return false;
    this.classes.push(nodeClass);
    return nodeClass === UNKNOWN_CLASS ? hasPlainNames(held) : this.checkNode(nodeClass, held);
  }

  /** `{"title": "..."}`, which is all that the pages of an engine write there. */
  private readMeta(): boolean {
    const { cursor } = this;
    if (!cursor.take(0x7b)) return false;
    if (cursor.next() !== 0x7d) {
      if (!cursor.key() || !holdsText(cursor.bytes, cursor.start, cursor.stop, TITLE)) return false;
      this.keys++;
      if (!cursor.anyString() || cursor.stop - cursor.start > this.limits.maxStringBytes) return false;
    }
    return cursor.take(0x7d);
  }

  /** Notes what a node holds, since its class may come after; the number of inputs, -1 for the full check. */
  private readInputs(): number {
    const { cursor } = this;
    if (!cursor.take(0x7b)) return -1;
    if (cursor.next() === 0x7d) {
      cursor.at++;
      return 0;
    }
    const most = Math.min(MAX_HELD, this.limits.maxInputsPerNode);
    let count = 0;
    do {
      if (count === most || !cursor.key()) return -1;
      nameHashes[count] = cursor.hash;
      nameStarts[count] = cursor.start;
      nameStops[count] = cursor.stop;
      if (!this.readValue(count)) return -1;
      count++;
    } while (cursor.take(0x2c));
    this.keys += count;
    return cursor.take(0x7d) ? count : -1;
  }

  private readValue(at: number): boolean {
    const { cursor } = this;
    const first = cursor.next();
    if (first === 0x22) {
      forms[at] = Held.Text;
      const opening = cursor.at;
      if (!cursor.plainString()) {
        cursor.at = opening;
        forms[at] = Held.EscapedText;
        if (!cursor.anyString()) return false;
      }
      starts[at] = cursor.start;
      stops[at] = cursor.stop;
      hashes[at] = cursor.hash;
      return cursor.stop - cursor.start <= this.limits.maxStringBytes;
    }
    if (first === 0x5b) return this.readLink(at);
    if (first === 0x74 || first === 0x66) {
      forms[at] = Held.Truth;
      return cursor.word(first === 0x74 ? 'true' : 'false');
    }
    forms[at] = Held.Number;
    if (!cursor.plainNumber()) return false;
    numbers[at] = cursor.number;
    return true;
  }

  /** `["id", slot]` with a slot that is written as a whole number. */
  private readLink(at: number): boolean {
    const { cursor } = this;
    cursor.at++;
    if (!cursor.plainString()) return false;
    forms[at] = Held.Link;
    starts[at] = cursor.start;
    stops[at] = cursor.stop;
    hashes[at] = cursor.hash;
    if (!cursor.take(0x2c)) return false;
    const digit = cursor.next();
    if (digit < 0x30 || digit > 0x39 || !cursor.plainNumber() || !cursor.whole) return false;
    numbers[at] = cursor.number;
    return cursor.take(0x5d);
  }

  private checkNode(nodeClass: QuickClass, count: number): boolean {
    const { bytes } = this.cursor;
    const { inputs } = nodeClass;
    let expected = 0;
    let required = 0;
    seen.fill(0, 0, inputs.length);
    for (let at = 0; at < count; at++) {
      let input = inputs[expected];
      if (input === undefined || input.name.hash !== nameHashes[at]) {
        input = inputs.find(({ name }) => name.hash === nameHashes[at]);
        if (input === undefined) return false;
      }
      if (seen[input.at] === 1 || !holdsText(bytes, nameStarts[at]!, nameStops[at]!, input.name)) return false;
      seen[input.at] = 1;
      expected = input.at + 1;
      if (input.required) required++;
      if (!(forms[at] === Held.Link ? this.noteLink(at, input) : isGood(bytes, at, input))) return false;
    }
    return required === nodeClass.required;
  }

  private noteLink(at: number, input: QuickInput): boolean {
    this.linkInputs.push(input);
    this.linkIds.push(starts[at]!);
    this.linkIdStops.push(stops[at]!);
    this.linkHashes.push(hashes[at]!);
    this.linkSlots.push(numbers[at]!);
    return ++this.links <= this.limits.maxLinks;
  }

  /** Whether the ids of two nodes are the same text. */
  sameId(node: number, start: number, stop: number): boolean {
    const own = this.idStarts[node]!;
    return this.idStops[node]! - own === stop - start && sameText(this.cursor.bytes, start, stop, own);
  }
}

/** What the node that is being read holds, by place. One graph is read at a time, so the room is made once. */
const nameHashes = new Int32Array(MAX_HELD);
const nameStarts = new Int32Array(MAX_HELD);
const nameStops = new Int32Array(MAX_HELD);
const forms = new Uint8Array(MAX_HELD);
const starts = new Int32Array(MAX_HELD);
const stops = new Int32Array(MAX_HELD);
const hashes = new Int32Array(MAX_HELD);
const numbers = new Float64Array(MAX_HELD);
const seen = new Uint8Array(MAX_HELD);

/** Whether the held names differ, as far as their hashes tell. */
function hasPlainNames(held: number): boolean {
  if (held > MAX_HELD_UNKNOWN) return false;
  for (let at = 1; at < held; at++)
    for (let other = 0; other < at; other++) if (nameHashes[at] === nameHashes[other]) return false;
  return true;
}

function isGood(bytes: Uint8Array, at: number, input: QuickInput): boolean {
  const form = forms[at]!;
  switch (input.takes) {
    case Takes.AnyText:
      return form === Held.Text || form === Held.EscapedText;
    case Takes.ListedText: {
      if (form !== Held.Text) return false;
      const options = input.options.get(hashes[at]!);
      if (options === undefined) return false;
      for (const option of options) if (holdsText(bytes, starts[at]!, stops[at]!, option)) return true;
      return false;
    }
    case Takes.Int: {
      const number = Math.trunc(numbers[at]!);
      return form === Held.Number && number >= input.min && number <= input.max;
    }
    case Takes.Float:
      return form === Held.Number && numbers[at]! >= input.min && numbers[at]! <= input.max;
    case Takes.Boolean:
      return form === Held.Truth;
    case Takes.Anything:
      return true;
    case Takes.Nothing:
      return false;
  }
}
