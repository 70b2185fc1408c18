import { isJsonObject, ownValue, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { placeOfMistake } from '../json/place-of-mistake.js';
import type { ReadFailure } from '../json/read-json.js';
import type { ScanLimits } from '../json/scan-json.js';
import type { FormProblem, FormSource } from './submission-rejection.js';

const SHOWN_PATH_LENGTH = 200;
/** The first nodes are enough to recognize a graph. */
const MAX_LOOKED_AT = 16;

/** Why a document was refused; of its content only the path of a repeated key is shown. */
export function readFailure(
  failure: ReadFailure,
  bytes: Uint8Array,
  limits: ScanLimits,
  source: FormSource,
): FormProblem {
  switch (failure.reason) {
    case 'too_deep':
      return { case: 'too_deep', limit: limits.maxDepth };
    case 'too_many_keys':
      return { case: 'too_many_keys', limit: limits.maxKeys };
    case 'too_many_lists':
      return { case: 'too_many_lists', limit: limits.maxLists };
    case 'number_too_long':
      return { case: 'number_too_long', limit: limits.maxNumberLength };
    case 'invalid_utf8':
      return { case: 'invalid_utf8', source };
    case 'unterminated':
    case 'invalid_json':
      if (startsWithByteOrderMark(bytes)) return { case: 'byte_order_mark', source };
      return isBlank(bytes)
        ? { case: 'empty_text', source }
        : { case: 'invalid_json', source, ...placeOfMistake(bytes) };
    case 'duplicate_key':
      return { case: 'duplicate_key', path: shownPath(failure.path) };
  }
}

/** Describes what a body without the field `workflow` is instead. */
export function missingWorkflow(body: JsonObject, isEditorFormat: boolean): FormProblem {
  if (isEditorFormat) return { case: 'editor_body' };
  const prompt = ownValue(body, 'prompt');
  if (isJsonObject(prompt) && ownValue(prompt, 'class_type') === undefined) return { case: 'prompt_body' };
  return { case: holdsNodes(body) ? 'bare_graph' : 'workflow_missing' };
}

/** True if the object looks like a graph: one of its first values has a class. */
export function holdsNodes(value: JsonObject): boolean {
  return Object.keys(value)
    .slice(0, MAX_LOOKED_AT)
    .some((key) => {
      const node = ownValue(value, key);
      return isJsonObject(node) && typeof ownValue(node, 'class_type') === 'string';
    });
}

/** Kind of a JSON value, for people. */
export function jsonKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a string' : typeof value === 'boolean' ? String(value) : 'a number';
}

/** Editors on Windows write it before UTF-8; JSON does not allow it (RFC 8259, 8.1). */
export function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** Below it are partner credentials, whose names a client may have mixed up with their values. */
const CREDENTIALS = 'extra_data';

function shownPath(path: JsonPath): string {
  return (path[0] === CREDENTIALS ? [CREDENTIALS] : path)
    .map((step) => JSON.stringify(step))
    .join(' > ')
    .slice(0, SHOWN_PATH_LENGTH);
}
