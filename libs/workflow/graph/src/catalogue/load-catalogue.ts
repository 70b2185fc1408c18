import { isJsonObject, ownValue, type JsonObject } from '../json/json-value.js';
import { readJson } from '../json/read-json.js';
import type { Catalogue, NodeClass } from './catalogue.js';
import { compileGroups, typeText } from './compile-inputs.js';
import { customRuleOf } from './custom-rules.js';

/** Limits on a description: far above real engines (4.5 MB, 900 classes), low enough to bound memory. */
const DESCRIPTION_LIMITS = { maxDepth: 64, maxKeys: 2_000_000, maxLists: 2_000_000, maxNumberLength: 64 };

/**
 * Compiles an engine's `/object_info` answer, from its bytes (preferred: integers above 2^53 stay exact) or the parsed
 * object. Throws a SyntaxError unless it is a JSON object of classes; a malformed class or input is skipped.
 */
export function loadCatalogue(description: Uint8Array | JsonObject): Catalogue {
  const root = description instanceof Uint8Array ? readDescription(description) : description;
  const names = Object.keys(root);
  const older = !names.some((name) => {
    const entry = ownValue(root, name);
    return isJsonObject(entry) && Object.hasOwn(entry, 'is_input_list');
  });
  const classes = new Map<string, NodeClass>();
  const knownFiles = new Set<string>();
  for (const name of names) {
    const entry = ownValue(root, name);
    if (!isJsonObject(entry)) continue;
    const compiled = compileClass(name, entry, older, knownFiles);
    classes.set(name, compiled);
    const none = compiled.rule?.form === 'existing_file' ? compiled.rule.none : null;
    for (const { file, options } of compiled.inputs) {
      if (file === 'listed') options?.forEach((key) => key !== none && knownFiles.add(key));
    }
  }
  return { classes, older };
}

function readDescription(bytes: Uint8Array): JsonObject {
  const read = readJson(bytes, DESCRIPTION_LIMITS, { quoteLongIntegers: true });
  if (!read.ok) throw new SyntaxError(`The catalogue cannot be read: ${read.reason}`);
  if (!isJsonObject(read.value)) throw new SyntaxError('The catalogue is not a JSON object');
  return read.value;
}

function compileClass(name: string, entry: JsonObject, older: boolean, knownFiles: ReadonlySet<string>): NodeClass {
  const rule = customRuleOf(name, older, knownFiles);
  const inputs = compileGroups(entry.input, { className: name, older, rule });
  const outputs = Array.isArray(entry.output) ? entry.output.map(typeText) : [];
  return {
    name,
    inputs,
    outputs,
    isOutput: entry.output_node === true,
    mayBeOutput: false,
    hasOtherOutputs: false,
    hasDynamicInputs: inputs.some((input) => input.dynamic !== null),
    rule,
  };
}
