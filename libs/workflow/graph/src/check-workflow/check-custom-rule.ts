import type { InputSpec } from '../catalogue/catalogue.js';
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.js';
import { isAssetReference } from './asset-references.js';
import { convert, type ConstantContext } from './check-constant.js';
import { isSafeFileName, plainFileName } from './file-names.js';
import { equalityKey, FAILED } from './python-coercion.js';

/**
 * The check that the engine's own code of the class makes, after all inputs were looked at one by one.
 * `linkTypes` are the types that arrive by valid links, by input name.
 */
export function checkCustomRule(
  held: JsonObject,
  inputs: readonly InputSpec[],
  linkTypes: ReadonlyMap<string, string>,
  context: ConstantContext,
): void {
  const { rule } = context.nodeClass;
  const { node, log } = context;
  if (rule === null || rule.form === 'everything') return;
  if (rule.form === 'existing_file') {
    const input = inputs.find(({ name }) => name === rule.input);
    if (input !== undefined) checkExistingFile(input, held, rule.knownFiles, context);
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

/** Only a text can be a file's name: the engine's code throws on anything else, on a link and on nothing. */
function checkExistingFile(
  input: InputSpec,
  held: JsonObject,
  knownFiles: ReadonlySet<string>,
  { node, log }: ConstantContext,
): void {
  const value = constantOf(input, held);
  if (isAssetReference(value)) return;
  if (typeof value !== 'string') {
    log.addFault(node);
    if (value !== undefined && value !== null) log.add(node, input.name, 'invalid_value_type');
    else if (value === null && !Array.isArray(ownValue(held, input.name)))
      log.add(node, input.name, 'invalid_value_type');
    return;
  }
  if (input.file !== null) return;
  const name = plainFileName(value);
  if (!isSafeFileName(name)) log.add(node, input.name, 'custom_validation_failed', 'running');
  else if (!knownFiles.has(equalityKey(name))) log.add(node, input.name, 'custom_validation_failed');
}

/** What the engine hands to the check: the converted constant, null for a link, undefined where there is nothing. */
function constantOf(input: InputSpec, held: JsonObject): JsonValue | undefined {
  const given = ownValue(held, input.name);
  if (given === undefined) return undefined;
  if (Array.isArray(given)) return null;
  const value = isJsonObject(given) ? (ownValue(given, '__value__') ?? given) : given;
  const converted = convert(input, value);
  return converted === FAILED ? value : converted;
}
