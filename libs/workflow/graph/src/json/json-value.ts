/**
 * A parsed JSON value as from JSON.parse, with bigints where `makeExact` put them. Objects may own keys such as
 * `__proto__`: read untrusted names with `ownValue`, never with a plain index.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** Path from the root of a document to a value: object keys and array indexes. */
export type JsonPath = readonly (string | number)[];

/** Half-open range of byte offsets. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key; inherited names of Object.prototype never match. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
