/**
 * A parsed JSON value: what JSON.parse gives, and bigints where `makeExact` put them.
 * Objects may own keys such as `__proto__`: read them with `ownValue`, never with a plain index on an untrusted name.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** The way from the root of a document to a value: object keys and array indexes. */
export type JsonPath = readonly (string | number)[];

/** Half-open range of byte offsets. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under an own key; names of Object.prototype members never match by inheritance. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
