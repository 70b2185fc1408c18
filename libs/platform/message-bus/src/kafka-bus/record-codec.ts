import type { IHeaders } from 'kafkajs';

/** A record as the client library wants it encoded; deltas count from its batch. */
export interface PlainRecord {
  readonly key?: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders;
  readonly offsetDelta?: number;
}

/** Bytes in the form of the client library's own encoder. */
export interface EncodedRecord {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

/** What the client library tells a record's decoder of its batch. */
export interface BatchContext {
  readonly firstOffset?: string;
  readonly firstTimestamp?: string;
  readonly maxTimestamp?: string;
  readonly timestampType?: number;
  readonly magicByte?: number;
  readonly isControlBatch?: boolean;
}

type HeaderValue = Buffer | string | null | undefined;

/** Names of headers are few and come with every record; beyond so many they are encoded anew. */
const MOST_NAMES = 256;
const LOG_APPEND_TIME = 1;
const names = new Map<string, Buffer>();

/**
 * A record of the format that Kafka calls v2, in one piece: it is measured, then written. Its timestamp is that of its batch.
 * https://kafka.apache.org/documentation/#record
 */
export function encodeRecord({ key, value, headers = {}, offsetDelta = 0 }: PlainRecord): EncodedRecord {
  const fields = fieldsOf(headers);
  // Attributes and the timestamp take a byte each.
  let length = 2 + sizeOfInt(offsetDelta) + sizeOfBytes(key) + sizeOfBytes(value) + sizeOfInt(fields.length);
  for (const [name, one] of fields) length += nameOf(name).length + sizeOfBytes(one);
  const buffer = Buffer.allocUnsafe(sizeOfInt(length) + length);
  let at = writeInt(buffer, length, 0);
  buffer[at++] = 0;
  buffer[at++] = 0;
  at = writeInt(buffer, offsetDelta, at);
  at = writeBytes(buffer, key, at);
  at = writeBytes(buffer, value, at);
  at = writeInt(buffer, fields.length, at);
  for (const [name, one] of fields) {
    const bytes = nameOf(name);
    bytes.copy(buffer, at);
    at = writeBytes(buffer, one, at + bytes.length);
  }
  return { buf: buffer, buffer };
}

/** Reads what `encodeRecord` writes, without its length: in the client library's shape, with numbers of 64 bits as texts. */
export function decodeRecord({ buffer }: { readonly buffer: Buffer }, batch: BatchContext = {}) {
  const reader = new RecordReader(buffer);
  const attributes = reader.byte();
  const timestampDelta = reader.long();
  const { firstTimestamp, maxTimestamp, timestampType, magicByte, isControlBatch = false } = batch;
  const isAppended = timestampType === LOG_APPEND_TIME && maxTimestamp !== undefined;
  const timestamp = isAppended ? maxTimestamp : sum(firstTimestamp, timestampDelta);
  const offset = sum(batch.firstOffset, reader.int());
  const key = reader.bytes();
  const value = reader.bytes();
  const headers = reader.headers();
  return {
    magicByte,
    attributes,
    timestamp,
    offset,
    key,
    value,
    headers,
    isControlRecord: isControlBatch,
    batchContext: batch,
  };
}

class RecordReader {
  #at = 0;

  constructor(private readonly buffer: Buffer) {}

  byte(): number {
    return this.buffer.readInt8(this.#at++);
  }

  int(): number {
    let zigzag = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.buffer[this.#at++] ?? 0;
      zigzag += (byte & 0x7f) << shift;
      if (byte < 0x80) return (zigzag >>> 1) ^ -(zigzag & 1);
    }
  }

  /** Exact up to 53 bits: milliseconds between two records of a batch. */
  long(): number {
    let zigzag = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.buffer[this.#at++] ?? 0;
      zigzag += (byte & 0x7f) * factor;
      if (byte < 0x80) return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    }
  }

  bytes(): Buffer | null {
    const length = this.int();
    return length < 0 ? null : this.buffer.subarray(this.#at, (this.#at += length));
  }

  /** A name that comes more than once has a list. */
  headers(): IHeaders {
    const headers: IHeaders = {};
    for (let left = this.int(); left > 0; left--) {
      const length = this.int();
      const name = this.buffer.toString('utf8', this.#at, (this.#at += length));
      const value = this.bytes() as Buffer;
      const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
      const all = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
      // A plain assignment of this one name would change what the object is.
      if (name === '__proto__') Object.defineProperty(headers, name, { value: all, enumerable: true });
      else headers[name] = all as Buffer;
    }
    return headers;
  }
}

function fieldsOf(headers: IHeaders): [string, HeaderValue][] {
  const fields: [string, HeaderValue][] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (Array.isArray(value)) for (const one of value) fields.push([name, one]);
    else fields.push([name, value]);
  }
  return fields;
}

/** The name with its length before it. */
function nameOf(name: string): Buffer {
  const known = names.get(name);
  if (known !== undefined) return known;
  const bytes = Buffer.allocUnsafe(sizeOfBytes(name));
  writeBytes(bytes, name, 0);
  if (names.size < MOST_NAMES) names.set(name, bytes);
  return bytes;
}

function sizeOfBytes(value: HeaderValue): number {
  if (value === null || value === undefined) return 1;
  const length = Buffer.byteLength(value);
  return sizeOfInt(length) + length;
}

/** Answers where the next one goes. */
function writeBytes(buffer: Buffer, value: HeaderValue, at: number): number {
  if (value === null || value === undefined) return writeInt(buffer, -1, at);
  const start = writeInt(buffer, Buffer.byteLength(value), at);
  return start + (typeof value === 'string' ? buffer.write(value, start) : value.copy(buffer, start));
}

/** Of a number of 32 bits, small ones of either sign in few bytes. */
function sizeOfInt(value: number): number {
  let bytes = 1;
  for (let left = ((value << 1) ^ (value >> 31)) >>> 7; left !== 0; left >>>= 7) bytes++;
  return bytes;
}

function writeInt(buffer: Buffer, value: number, at: number): number {
  let left = ((value << 1) ^ (value >> 31)) >>> 0;
  while (left >= 0x80) {
    buffer[at++] = (left & 0x7f) | 0x80;
    left >>>= 7;
  }
  buffer[at++] = left;
  return at;
}

function sum(first = '0', delta: number): string {
  const whole = Number(first) + delta;
  return Number.isSafeInteger(whole) ? String(whole) : String(BigInt(first) + BigInt(delta));
}
