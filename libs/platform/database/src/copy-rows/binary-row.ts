import { POSTGRES_EPOCH_MS } from './postgres-epoch.js';

/** PGCOPY signature, flags and length of the extension area, which no version uses. */
const HEADER_BYTES = 19;
const HEADER_START = Buffer.from('PGCOPY\n');
const NULL_LENGTH = -1;
const SMALL_BYTES = 64;
const MAX_SECONDS = 1_000;
/** The last instant that a `Date` can hold; PostgreSQL has later ones, and infinity. */
const MAX_DATE_MS = 8.64e15;
/** The ends of instants in ISO form. */
const MILLISECONDS = Array.from({ length: 1_000 }, (_, n) => `${String(n).padStart(3, '0')}Z`);
const HEX_DIGITS = Buffer.from('0123456789abcdef');

/**
 * One row of a binary COPY. One object is reused for every row, and its bytes are the connection's buffer: copy what
 * must outlive the call. Fields are numbered by their position in the select list, from 0.
 */
export class BinaryRow {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  /** Instants to their second, in ISO form: to write a date costs more than to parse a small payload. */
  readonly #seconds = new Map<number, string>();

  /** Points at the row of a CopyData message; returns false for the trailer. */
  read(message: Buffer): boolean {
    // A row starts with a small column count, so it cannot look like the header.
    const isFirst = message[0] === HEADER_START[0] && message.subarray(0, HEADER_START.length).equals(HEADER_START);
    let at = isFirst ? HEADER_BYTES : 0;
    const fields = message.readInt16BE(at);
    if (fields < 0) return false;
    at += 2;
    this.#bytes = message;
    for (let field = 0; field < fields; field++) {
      const length = message.readInt32BE(at);
      at += 4;
      this.#starts[field] = at;
      this.#lengths[field] = length;
      if (length > 0) at += length;
    }
    return true;
  }

  isNull(field: number): boolean {
    return this.#lengths[field] === NULL_LENGTH;
  }

  /** In bytes; 0 for null. */
  length(field: number): number {
    return Math.max(0, this.#lengths[field] ?? 0);
  }

  /** The field's bytes, a view that the next row overwrites; empty for null. */
  bytes(field: number): Buffer {
    const start = this.#starts[field] ?? 0;
    return this.#bytes.subarray(start, start + this.length(field));
  }

  /** Copies the field to `target` and returns the index after it. */
  copy(field: number, target: Buffer, at: number): number {
    const start = this.#starts[field] ?? 0;
    const length = this.length(field);
    // For a few bytes a loop is faster than a call into the runtime.
    if (length > SMALL_BYTES) return at + this.#bytes.copy(target, at, start, start + length);
    for (let n = 0; n < length; n += 1) target[at + n] = this.#bytes[start + n]!;
    return at + length;
  }

  /** Writes the field as hex digits to `target` and returns the index after them; nothing for null. */
  hex(field: number, target: Buffer, at: number): number {
    const start = this.#starts[field] ?? 0;
    const length = this.length(field);
    if (length > SMALL_BYTES)
      return at + target.write(this.#bytes.toString('hex', start, start + length), at, 'latin1');
    let to = at;
    for (let n = start; n < start + length; n += 1) {
      const byte = this.#bytes[n]!;
      target[to++] = HEX_DIGITS[byte >> 4]!;
      target[to++] = HEX_DIGITS[byte & 15]!;
    }
    return to;
  }

  /** True if the field has these bytes. */
  equals(field: number, bytes: Buffer): boolean {
    if (this.#lengths[field] !== bytes.length) return false;
    const start = this.#starts[field] ?? 0;
    for (let n = 0; n < bytes.length; n += 1) if (this.#bytes[start + n] !== bytes[n]) return false;
    return true;
  }

  int32(field: number): number {
    return this.#bytes.readInt32BE(this.#starts[field] ?? 0);
  }

  int16(field: number): number {
    return this.#bytes.readInt16BE(this.#starts[field] ?? 0);
  }

  int64(field: number): bigint {
    return this.#bytes.readBigInt64BE(this.#starts[field] ?? 0);
  }

  /** An int8 whose value a double holds exactly; several times cheaper than `int64`. */
  integer(field: number): number {
    const start = this.#starts[field] ?? 0;
    return this.#bytes.readInt32BE(start) * 2 ** 32 + this.#bytes.readUInt32BE(start + 4);
  }

  flag(field: number): boolean {
    return this.#bytes[this.#starts[field] ?? 0] === 1;
  }

  /** Text in the database's encoding, UTF-8. */
  text(field: number): string {
    const start = this.#starts[field] ?? 0;
    return this.#bytes.toString('utf8', start, start + this.length(field));
  }

  /** The bytes as a string of one character each, for use as a key. */
  key(field: number): string {
    const start = this.#starts[field] ?? 0;
    return this.#bytes.toString('latin1', start, start + this.length(field));
  }

  /** A UUID in its usual text form. */
  uuid(field: number): string {
    const start = this.#starts[field] ?? 0;
    return uuidOf(this.#bytes.toString('hex', start, start + this.length(field)));
  }

  /** A timestamptz as milliseconds since 1970. */
  milliseconds(field: number): number {
    return Math.floor(this.integer(field) / 1_000) + POSTGRES_EPOCH_MS;
  }

  /** A timestamptz in ISO form, in UTC with milliseconds; `infinity` or `-infinity` beyond the years of a `Date`. */
  instant(field: number): string {
    const milliseconds = this.milliseconds(field);
    if (Math.abs(milliseconds) > MAX_DATE_MS) return milliseconds > 0 ? 'infinity' : '-infinity';
    const second = Math.floor(milliseconds / 1_000);
    return (this.#seconds.get(second) ?? this.#write(second)) + MILLISECONDS[milliseconds - second * 1_000]!;
  }

  #write(second: number): string {
    const text = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length);
    if (this.#seconds.size >= MAX_SECONDS) this.#seconds.clear();
    this.#seconds.set(second, text);
    return text;
  }
}

/** The usual text form of a UUID whose bytes are a `key`. */
export function uuidOfKey(key: string): string {
  return uuidOf(Buffer.from(key, 'latin1').toString('hex'));
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
