import type { InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { isJsonObject, ownValue, type JsonPath, type JsonValue } from '../json/json-value.js';
import { isAssetReference } from './asset-references.js';
import { isSafeFileName, plainFileName, withoutFolder, type NamedFile } from './file-names.js';
import type { NodeErrorReason } from './node-problems.js';
import type { ProblemLog } from './problem-log.js';
import { comparable, equalityKey, FAILED, toPythonFloat, toPythonInt, type Converted } from './python-coercion.js';

const NO_FIELDS: readonly string[] = [];

/** The node of the constant, and where findings go. */
export interface ConstantContext {
  readonly node: number;
  readonly nodeId: string;
  readonly nodeClass: NodeClass;
  /** The catalogue's generation. */
  readonly older: boolean;
  readonly log: ProblemLog;
  readonly namedFiles: { readonly node: number; readonly file: NamedFile }[];
  /**
   * All inputs that the engine collects for the node, undeclared links included: the fields of a failed check that
   * covers everything.
   */
  readonly heldInputs: () => readonly string[];
}

/**
 * Checks a constant as the engine does: unwrap `__value__`, convert to the declared type by Python's rules, compare
 * with the range, then with the list; the first refusal ends it.
 */
export function checkConstant(input: InputSpec, given: JsonValue, context: ConstantContext): void {
  const { node, log } = context;
  const wrapped = isJsonObject(given) && Object.hasOwn(given, '__value__');
  const value = wrapped ? ownValue(given, '__value__')! : given;
  if (isAssetReference(value)) {
    if (!takesAsset(input)) log.add(node, input.name, 'invalid_value_type');
    return;
  }
  const converted = convert(input, value);
  if (converted === FAILED) {
    log.add(node, input.name, 'invalid_value_type');
    return;
  }
  if (input.file === 'path') {
    if (!holdsSafePaths(converted)) log.add(node, input.name, 'unsupported_value', 'running');
  } else if (input.file !== null && typeof converted === 'string') {
    checkFileName(input, converted, wrapped, context);
    return;
  }
  if (input.ownCheck) return;
  if (input.kind !== 'BOOLEAN' && (input.min !== null || input.max !== null)) {
    const reason = outOfRange(input, converted);
    if (reason === FAILED) log.addFault(node);
    if (reason !== null) {
      log.add(node, input.name, reason === FAILED ? 'invalid_value_type' : reason);
      return;
    }
  }
  if (input.options !== null && !isListed(input, input.options, converted))
    log.add(node, input.name, 'value_not_in_list');
}

/** Converts a constant to its declared type; FAILED if Python would raise. */
export function convert(input: InputSpec, value: JsonValue): Converted<JsonValue> {
  switch (input.kind) {
    case 'INT':
      return toPythonInt(value);
    case 'FLOAT':
      return toPythonFloat(value);
    case 'STRING':
      // Python's text form of other values is never compared.
      return typeof value === 'string' ? value : String(value);
    case 'BOOLEAN':
      return value !== null && value !== false && value !== 0 && value !== '';
    case 'list':
    case 'other':
      return value;
  }
}

/** decisions, Input files by name: a reference is allowed where a file name or a string constant is. */
function takesAsset(input: InputSpec): boolean {
  if (input.file === 'listed' || input.file === 'free' || input.kind === 'STRING') return true;
  return (
    input.kind === 'other' && input.type.split(',').some((type) => type.trim() === 'STRING' || type.trim() === '*')
  );
}

function outOfRange(input: InputSpec, value: JsonValue): NodeErrorReason | typeof FAILED | null {
  const number = comparable(value);
  if (number === FAILED) return FAILED;
  if (input.min !== null && number < input.min) return 'value_below_min';
  return input.max !== null && number > input.max ? 'value_above_max' : null;
}

function isListed(input: InputSpec, options: ReadonlySet<string>, value: JsonValue): boolean {
  if (input.multiselect && Array.isArray(value)) return value.every((item) => options.has(equalityKey(item)));
  return options.has(equalityKey(value));
}

/** Paths may have a folder annotation; an empty path opens nothing. */
function holdsSafePaths(value: JsonValue): boolean {
  const texts = isJsonObject(value) ? Object.values(value) : [value];
  return texts.every((text) => typeof text !== 'string' || text === '' || isSafeFileName(withoutFolder(text)));
}

function checkFileName(input: InputSpec, text: string, wrapped: boolean, context: ConstantContext): void {
  const { node, nodeId, nodeClass, log } = context;
  const rule = nodeClass.rule?.form === 'existing_file' && nodeClass.rule.input === input.name ? nodeClass.rule : null;
  if (rule !== null && text === rule.none) return;
  const reasons: NodeErrorReason[] = input.file === 'listed' ? ['value_not_in_list'] : [];
  if (rule !== null) reasons.push('custom_validation_failed');
  const alsoFailing =
    rule?.exempt === 'everything' ? context.heldInputs().filter((field) => field !== input.name) : NO_FIELDS;
  const name = plainFileName(text);
  if (!isSafeFileName(name)) {
    // Free text may be empty; a path out of the input folder is refused for every node.
    if (text === '' && input.file === 'free') return;
    for (const reason of reasons.length > 0 ? reasons : (['unsupported_value'] as const)) {
      log.add(node, input.name, reason, 'running');
    }
    for (const field of alsoFailing) log.add(node, field, 'custom_validation_failed', 'running');
    return;
  }
  const path: JsonPath = wrapped ? [nodeId, 'inputs', input.name, '__value__'] : [nodeId, 'inputs', input.name];
  const known = rule?.knownFiles ?? input.options;
  const listed = known !== null && known.has(equalityKey(name));
  const file = { nodeId, input: input.name, path, name, listed, reasonsIfUnknown: reasons, alsoFailing };
  context.namedFiles.push({ node, file });
}
