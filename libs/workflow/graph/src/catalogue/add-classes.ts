import { isJsonObject, ownValue, type JsonValue } from '../json/json-value.js';
import { readJson } from '../json/read-json.js';
import type { Catalogue, InputSpec, NodeClass } from './catalogue.js';
import { compileInput, typeText, type ClassContext } from './compile-inputs.js';
import { OTHER_INPUTS, UNKNOWN_VALUE } from './unknown-parts.js';

/** A node class as a registry describes it, by what it read in the source of a package. */
export interface DescribedClass {
  readonly name: string;
  /** JSON text of the groups of inputs, with `null` for what is not known; empty: nothing is. */
  readonly inputTypes: string;
  /** JSON text of the types of the outputs; empty: they are not known. */
  readonly returnTypes: string;
  readonly outputNode: boolean;
  /** Paths of what is not known, such as `input_types.required.model` or `return_types.1`. */
  readonly unknown: readonly string[];
}

/** Limits on one text: far above the 1 MiB that a registry takes from a source. */
const TEXT_LIMITS = { maxDepth: 64, maxKeys: 1_000_000, maxLists: 1_000_000, maxNumberLength: 64 };
/** Options that decide which values a list of choices takes, or what it lists. */
const CHOICE_OPTIONS = [
  ...['options', 'multiselect', 'remote', 'remote_combo', 'image_folder'],
  ...['image_upload', 'audio_upload', 'video_upload', 'file_upload'],
];

/**
 * The catalogue of an engine with the classes of its packages. The engine's own class of a name wins, then the one that
 * comes first. `isWhole` is false if packages have more classes than are described.
 */
export function addClasses(engine: Catalogue, described: Iterable<DescribedClass>, isWhole = true): Catalogue {
  const classes = new Map(engine.classes);
  for (const one of described) {
    if (!classes.has(one.name)) classes.set(one.name, compileDescribed(one, engine.older));
  }
  return { ...engine, classes, hasOthers: !isWhole };
}

/** A path in `unknown` is not checked (registry decisions, Extraction). */
function compileDescribed({ name, unknown, ...texts }: DescribedClass, older: boolean): NodeClass {
  const paths = new Set(unknown);
  const inputs = inputsIn(texts.inputTypes, paths, { className: '', older, rule: null });
  const types = paths.has('return_types') ? null : parsed(texts.returnTypes);
  const isOutputKnown = !paths.has('output_node');
  return {
    name,
    inputs,
    outputs: Array.isArray(types) ? types.map((type, slot) => outputType(type, paths.has(`return_types.${slot}`))) : [],
    isOutput: isOutputKnown && texts.outputNode,
    mayBeOutput: !isOutputKnown,
    hasOtherOutputs: !Array.isArray(types),
    hasDynamicInputs: inputs.some(({ dynamic }) => dynamic !== null),
    // The checks in code are those of the engine's own classes, whatever this one is called.
    rule: null,
  };
}

function outputType(type: JsonValue, isUnknown: boolean): string {
  return isUnknown || type === null ? UNKNOWN_VALUE.type : typeText(type);
}

function inputsIn(text: string, paths: ReadonlySet<string>, context: ClassContext): InputSpec[] {
  const groups = parsed(text);
  if (!isJsonObject(groups)) return [OTHER_INPUTS];
  const inputs: InputSpec[] = [];
  let hasOthers = paths.has('input_types');
  for (const group of ['required', 'optional']) {
    const path = `input_types.${group}`;
    const declared = ownValue(groups, group);
    // Inputs that are found in it may not be there at run time.
    const isGroupUnknown = paths.has('input_types') || paths.has(path) || declared === null;
    hasOthers ||= isGroupUnknown;
    for (const name of isJsonObject(declared) ? Object.keys(declared) : []) {
      const spec = ownValue(declared as typeof groups, name)!;
      const required = group === 'required' && !isGroupUnknown;
      const input = inputOf({ name, required, spec, path: `${path}.${name}` }, paths, context);
      if (input === null) hasOthers = true;
      else inputs.push(input);
    }
  }
  return hasOthers ? [...inputs, OTHER_INPUTS] : inputs;
}

interface DeclaredInput {
  readonly name: string;
  readonly required: boolean;
  readonly spec: JsonValue;
  readonly path: string;
}

/** Null: the names of its inputs are not known either. */
function inputOf(
  { name, required, spec, path }: DeclaredInput,
  paths: ReadonlySet<string>,
  context: ClassContext,
): InputSpec | null {
  const inheritedName = name in Object.prototype;
  if (!Array.isArray(spec) || spec.length === 0) return { ...UNKNOWN_VALUE, name, inheritedName };
  const input = compileInput(name, required, spec, context);
  const isUnknown = paths.has(path) || spec[0] === null;
  const options: JsonValue = spec[1] ?? null;
  const hidden = isJsonObject(options) ? Object.keys(options).filter((option) => paths.has(`${path}.${option}`)) : [];
  if (input.dynamic !== null) return isUnknown || hidden.length > 0 ? null : input;
  // A list that only the engine knows may still name an asset.
  const file = input.file === 'listed' ? 'free' : input.file;
  if (isUnknown) return { ...UNKNOWN_VALUE, name, inheritedName, file };
  return hidden.some((option) => CHOICE_OPTIONS.includes(option)) ? { ...input, options: null, file } : input;
}

/** Null for a text that cannot be read: it is not known. */
function parsed(text: string): JsonValue {
  const read = readJson(new TextEncoder().encode(text), TEXT_LIMITS, { quoteLongIntegers: true });
  return read.ok ? read.value : null;
}
