import type { Catalogue, InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { byteText, holdsText, type ByteText } from './byte-text.js';

/** Which constants of an input can be told good from their bytes alone. */
export const enum Takes {
  /** None: such a constant is left to the full check. */
  Nothing,
  AnyText,
  ListedText,
  Int,
  Float,
  Boolean,
  /** Any text, number or truth value: the engine compares them with nothing. */
  Anything,
}

/** An input of a class, ready for comparison with bytes. */
export interface QuickInput {
  readonly name: ByteText;
  /** Its place among the inputs of the class. */
  readonly at: number;
  readonly required: boolean;
  readonly takes: Takes;
  readonly type: string;
  readonly min: number;
  readonly max: number;
  readonly options: ReadonlyMap<number, readonly ByteText[]>;
}

/** A class whose good nodes can be told from their bytes alone. */
export interface QuickClass {
  readonly name: ByteText;
  readonly inputs: readonly QuickInput[];
  readonly required: number;
  readonly outputs: readonly string[];
  readonly isOutput: boolean;
}

/** Stands for each class that the engine does not have: nothing is known of its nodes. */
export const UNKNOWN_CLASS: QuickClass = { name: byteText(''), inputs: [], required: 0, outputs: [], isOutput: false };

const NO_OPTIONS: ReadonlyMap<number, readonly ByteText[]> = new Map();
/** Longer lists of inputs go to the full check: more than any node may hold. */
const MAX_INPUTS = 256;

/** The classes of a catalogue by the hash of their names; each is made ready when a graph first names it. */
export class QuickClasses {
  private readonly byHash = new Map<number, { readonly name: ByteText; readonly nodeClass: NodeClass }[]>();
  private readonly ready = new Map<number, QuickClass | null>();

  constructor(readonly catalogue: Catalogue) {
    for (const nodeClass of catalogue.classes.values()) {
      const name = byteText(nodeClass.name);
      const sameHash = this.byHash.get(name.hash);
      if (sameHash === undefined) this.byHash.set(name.hash, [{ name, nodeClass }]);
      else sameHash.push({ name, nodeClass });
    }
  }

  /** The class that a range of a document names, `UNKNOWN_CLASS`, or null where the full check must look. */
  find(document: Uint8Array, start: number, stop: number, hash: number): QuickClass | null {
    let found = this.ready.get(hash);
    if (found === undefined) {
      const candidates = this.byHash.get(hash);
      if (candidates === undefined) return UNKNOWN_CLASS;
      // Two names with one hash: too rare to be worth more than the full check.
      if (candidates.length > 1) return null;
      found = compile(candidates[0]!.nodeClass);
      this.ready.set(hash, found);
    }
    return found !== null && holdsText(document, start, stop, found.name) ? found : null;
  }
}

const prepared = new WeakMap<Catalogue, QuickClasses>();

/** The quick classes of a catalogue, made once and freed with it. */
export function quickClassesOf(catalogue: Catalogue): QuickClasses {
  let classes = prepared.get(catalogue);
  if (classes === undefined) {
    classes = new QuickClasses(catalogue);
    prepared.set(catalogue, classes);
  }
  return classes;
}

function compile(nodeClass: NodeClass): QuickClass | null {
  const { name, inputs, outputs, isOutput, hasDynamicInputs, rule } = nodeClass;
  if (hasDynamicInputs || rule !== null || inputs.length > MAX_INPUTS) return null;
  const names = new Set(inputs.map((input) => input.name));
  if (names.size !== inputs.length) return null;
  return {
    name: byteText(name),
    inputs: inputs.map(compileInput),
    required: inputs.filter(({ required }) => required).length,
    outputs,
    isOutput,
  };
}

function compileInput(input: InputSpec, at: number): QuickInput {
  const { name, required, type, min, max } = input;
  const takes = takenBy(input);
  return {
    name: byteText(name),
    at,
    required,
    takes,
    type,
    // Bounds past 2^53 are met by every number that is read here.
    min: min === null ? -Infinity : Number(min),
    max: max === null ? Infinity : Number(max),
    options: takes === Takes.ListedText ? optionsOf(input.options!) : NO_OPTIONS,
  };
}

function takenBy({ kind, min, max, options, file, ownCheck }: InputSpec): Takes {
  if (file !== null || ownCheck) return Takes.Nothing;
  const unbounded = min === null && max === null;
  if (kind === 'INT' || kind === 'FLOAT') {
    if (options !== null) return Takes.Nothing;
    return kind === 'INT' ? Takes.Int : Takes.Float;
  }
  if (kind === 'BOOLEAN') return options === null ? Takes.Boolean : Takes.Nothing;
  if (!unbounded) return Takes.Nothing;
  if (options !== null) return kind === 'STRING' ? Takes.Nothing : Takes.ListedText;
  return kind === 'STRING' ? Takes.AnyText : Takes.Anything;
}

/** Options that are no texts, or have no plain JSON form, are never met here: such values go to the full check. */
function optionsOf(options: ReadonlySet<string>): ReadonlyMap<number, readonly ByteText[]> {
  const byHash = new Map<number, ByteText[]>();
  for (const key of options) {
    if (key.startsWith('\0')) continue;
    const text = byteText(key);
    byHash.set(text.hash, [...(byHash.get(text.hash) ?? []), text]);
  }
  return byHash;
}
