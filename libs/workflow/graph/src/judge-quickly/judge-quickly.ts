import { typesMatch } from '../catalogue/match-types.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { reachFrom } from '../check-workflow/find-cycles.js';
import type { GraphLimits } from '../check-workflow/graph-limits.js';
import type { ByteSpan } from '../json/json-value.js';
import type { SubmissionLimits } from '../parse-submission/submission-limits.js';
import { byteText, holdsText } from './byte-text.js';
import { JsonCursor } from './json-cursor.js';
import { quickClassesOf, UNKNOWN_CLASS } from './quick-class.js';
import { QuickGraph } from './quick-graph.js';

/** A submission that names no file and no asset, and is good as it stands but for classes that the engine does not have. */
export interface QuickVerdict {
  readonly workflowSpan: ByteSpan;
  /** The nodes that an output depends on. */
  readonly nodesTotal: number;
  /** The class that each of these nodes names is unknown; where there are none the submission is accepted. */
  readonly unknownClasses: ReadonlyMap<string, string>;
}

const WORKFLOW = byteText('workflow');
/** Body, workflow, node, inputs, link: nothing that is accepted here is nested deeper. */
const DEPTH = 5;
/** Longer numbers than any that is accepted here. */
const NUMBER_LENGTH = 20;
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Nodes that are looked at for one id before the full check decides. */
const MAX_PROBES = 64;

/**
 * Judges the plain submissions, which are most, in one pass over their bytes and without building values: a body that holds a
 * `workflow` and nothing else, of nodes that hold only declared inputs with links or common constants. Null says nothing
 * about the submission: `parseSubmission` and `validateWorkflow` judge it then. Whatever is said here they say as well.
 */
export function judgeQuickly(
  body: Uint8Array,
  catalogue: Catalogue,
  limits: { readonly graph: GraphLimits; readonly submission: SubmissionLimits },
): QuickVerdict | null {
  const { maxDepth, maxKeys, maxNumberLength } = limits.submission;
  if (maxDepth < DEPTH || maxNumberLength < NUMBER_LENGTH) return null;
  const cursor = new JsonCursor(body);
  if (!cursor.take(0x7b) || !cursor.key() || !holdsText(body, cursor.start, cursor.stop, WORKFLOW)) return null;
  cursor.next();
  const start = cursor.at;
  const graph = new QuickGraph(cursor, quickClassesOf(catalogue), limits.graph);
  if (!graph.read() || graph.keys + 1 > maxKeys) return null;
  const end = cursor.at;
  if (!cursor.take(0x7d) || cursor.next() !== -1 || cursor.at !== body.length) return null;
  const nodesTotal = runningNodes(graph, catalogue);
  if (nodesTotal === 0 || (!cursor.isAscii && !isUtf8(body))) return null;
  return { workflowSpan: { start, end }, nodesTotal, unknownClasses: unknownClasses(graph, body) };
}

const NONE: ReadonlyMap<string, string> = new Map();

function unknownClasses({ unknown, idStarts, idStops }: QuickGraph, body: Uint8Array): ReadonlyMap<string, string> {
  if (unknown.length === 0) return NONE;
  const text = (start: number, stop: number): string => strictDecoder.decode(body.subarray(start, stop));
  return new Map(
    unknown.map(({ node, start, stop }) => [text(idStarts[node]!, idStops[node]!), text(start, stop)] as const),
  );
}

/** Does ahead of time what the first submission against a catalogue would have to do. */
export function prepareVerdicts(catalogue: Catalogue): void {
  quickClassesOf(catalogue);
}

/** How many nodes an output depends on; 0 where a link is not good, a node leads back to itself, or there is no output. */
function runningNodes(graph: QuickGraph, catalogue: Catalogue): number {
  const { nodes, links, classes, linkInputs, linkSlots, linkIds, linkIdStops, linkHashes } = graph;
  const table = new IdTable(graph);
  if (!table.fill()) return 0;
  const sources = new Int32Array(links);
  for (let link = 0; link < links; link++) {
    const source = table.find(linkHashes[link]!, linkIds[link]!, linkIdStops[link]!);
    if (source < 0) return 0;
    sources[link] = source;
    const sourceClass = classes[source]!;
    // What would come from there is not known; its class is refused anyway.
    if (sourceClass === UNKNOWN_CLASS) continue;
    const received = sourceClass.outputs[linkSlots[link]!];
    const { type } = linkInputs[link]!;
    if (received === undefined || (received !== type && !typesMatch(received, type, catalogue))) return 0;
  }
  const outputs: number[] = [];
  for (let node = 0; node < nodes; node++) if (classes[node]!.isOutput) outputs.push(node);
  const reach = reachFrom(outputs, { starts: graph.linkStarts, sources }, nodes);
  return reach.hasCycle ? 0 : reach.order.length;
}

/** The nodes of a graph by id: open addressing over the hashes of the ids. */
class IdTable {
  private readonly mask: number;
  private readonly slots: Int32Array;

  constructor(private readonly graph: QuickGraph) {
    let size = 16;
    while (size < graph.nodes * 2) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size);
  }

  /** False where an id is repeated, or too many fall on one place. */
  fill(): boolean {
    const { graph, slots, mask } = this;
    for (let node = 0; node < graph.nodes; node++) {
      const hash = graph.idHashes[node]!;
      let slot = spread(hash) & mask;
      for (let probe = 0; slots[slot] !== 0; probe++) {
        const other = slots[slot]! - 1;
        if (probe === MAX_PROBES) return false;
        if (graph.idHashes[other] === hash && graph.sameId(other, graph.idStarts[node]!, graph.idStops[node]!))
          return false;
        slot = (slot + 1) & mask;
      }
      slots[slot] = node + 1;
    }
    return true;
  }

  /** The node of an id, -1 where there is none. */
  find(hash: number, start: number, stop: number): number {
    const { graph, slots, mask } = this;
    for (let slot = spread(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const node = slots[slot]! - 1;
      if (graph.idHashes[node] === hash && graph.sameId(node, start, stop)) return node;
    }
    return -1;
  }
}

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
