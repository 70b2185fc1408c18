import { isJsonObject } from '../bodies/json-object.js';

/** Entries of an object from which on its JSON is written in pieces. */
const MANY_ENTRIES = 256;
/** Envelope, error, details, and what they list by a key. */
const DEPTH = 4;

/**
 * The JSON of a small value as a text; that of one with many entries as bytes, entry by entry. As a text of megabytes it would be
 * held in the heap twice, until the collector looks at its large objects. The bytes have memory of their own, which may be resized.
 */
export function largeJson(value: object): string | Buffer {
  if (!hasMany(value, DEPTH)) return JSON.stringify(value);
  let bytes = 0;
  for (const piece of pieces(value, DEPTH)) bytes += Buffer.byteLength(piece);
  const buffer = ownMemory(bytes);
  let at = 0;
  for (const piece of pieces(value, DEPTH)) at += buffer.write(piece, at);
  return buffer;
}

/** A buffer whose memory goes back to the system whole: an allocator keeps the holes that answers of many sizes leave. */
export function ownMemory(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }), 0, bytes);
}

function hasMany(value: unknown, depth: number): boolean {
  if (depth === 0 || !isJsonObject(value)) return false;
  const values = Object.values(value);
  return values.length >= MANY_ENTRIES || values.some((one) => hasMany(one, depth - 1));
}

function* pieces(value: object, depth: number): Generator<string> {
  let before = '{';
  for (const key of Object.keys(value)) {
    const one = (value as Readonly<Record<string, unknown>>)[key];
    if (one === undefined) continue;
    const head = `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (depth > 1 && isJsonObject(one)) {
      yield head;
      yield* pieces(one, depth - 1);
    } else yield head + JSON.stringify(one);
  }
  yield before === '{' ? '{}' : '}';
}
