import type { InputSpec } from '../catalogue/catalogue.js';
import type { FileRuleOfClass } from '../catalogue/custom-rules.js';
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.js';
import { isAssetReference } from './asset-references.js';
import { convert, type ConstantContext } from './check-constant.js';
import { isSafeFileName, plainFileName } from './file-names.js';
import { equalityKey, FAILED } from './python-coercion.js';

/**
 * Runs the class's own check after every input was checked. `linkTypes` are the types that arrive by valid links, by
 * input name.
 */
export function checkCustomRule(
  held: JsonObject,
  inputs: readonly InputSpec[],
  linkTypes: ReadonlyMap<string, string>,
  context: ConstantContext,
): void {
  const { rule } = context.nodeClass;
  const { node, log } = context;
  if (rule === null) return;
  if (isLink(ownValue(held, rule.receiver))) {
    log.addFault(node);
    return;
  }
  if (rule.form === 'existing_file') {
    checkExistingFile(rule, held, inputs, context);
  } else if (rule.form === 'link_types') {
    const received = linkTypes.get(rule.input);
    if (received === undefined) log.addFault(node);
    else if (!rule.allowed.includes(received)) log.add(node, 'input_types', 'custom_validation_failed');
  } else {
    const named = rule.inputs.map((name) => inputs.find((input) => input.name === name));
    const values = named.map((input) => (input === undefined ? undefined : constantOf(input, held)));
    const verdict = rule.judge(values, context.older);
    if (verdict === 'raises') log.addFault(node);
    if (verdict !== 'fails') return;
    for (const name of rule.inputs) {
      if (Object.hasOwn(held, name)) log.add(node, name, 'custom_validation_failed');
    }
  }
}

/** Only a string can be a file name: the engine's code throws on anything else, on a link and on a missing value. */
function checkExistingFile(
  rule: FileRuleOfClass,
  held: JsonObject,
  inputs: readonly InputSpec[],
  context: ConstantContext,
): void {
  const { node, log } = context;
  const input = inputs.find(({ name }) => name === rule.input);
  if (input === undefined) return;
  const value = constantOf(input, held);
  if (isAssetReference(value)) return;
  if (typeof value !== 'string') {
    if (rule.none !== null && value !== undefined && !isTrue(value)) return;
    log.addFault(node);
    if (value !== undefined && !(value === null && Array.isArray(ownValue(held, input.name))))
      log.add(node, input.name, 'invalid_value_type');
    return;
  }
  if (input.file !== null || value === rule.none) return;
  const name = plainFileName(value);
  if (!isSafeFileName(name)) log.add(node, input.name, 'custom_validation_failed', 'running');
  else if (!rule.knownFiles.has(equalityKey(name))) log.add(node, input.name, 'custom_validation_failed');
}

/** The value that the engine passes to the check: the converted constant, null for a link, undefined if absent. */
function constantOf(input: InputSpec, held: JsonObject): JsonValue | undefined {
  const given = ownValue(held, input.name);
  if (given === undefined) return undefined;
  const value = isJsonObject(given) ? (ownValue(given, '__value__') ?? given) : given;
  if (isLink(value)) return null;
  const converted = Array.isArray(given) ? value : convert(input, value);
  return converted === FAILED ? value : converted;
}

/**
 * True if the engine treats the value as a link when it collects a node's values: this includes an unwrapped constant
 * of that form.
 */
export function isLink(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string') return false;
  return typeof value[1] === 'number' || typeof value[1] === 'bigint' || typeof value[1] === 'boolean';
}

/** Python's bool(value) for values other than strings. */
function isTrue(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== 0;
}
