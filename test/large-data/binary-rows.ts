/** PGCOPY, signature, no flags, no extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FIRST_BYTES = 1 << 16;
const TRAILER_BYTES = 2;
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const TEXT_OID = 25;
/** Short texts are written in a loop: a call into the runtime costs more. */
const MAX_LOOPED_CHARACTERS = 40;

/** Writes rows in the binary form of COPY. Texts are ASCII. Null stands for null in every field. */
export class BinaryRows {
  #bytes: Buffer;
  #at: number;
  #rows = 0;

  constructor(expectedBytes = FIRST_BYTES) {
    this.#bytes = Buffer.allocUnsafe(Math.max(FIRST_BYTES, expectedBytes));
    this.#at = HEADER.copy(this.#bytes);
  }

  /** Begins a row. */
  row(fields: number): void {
    this.#room(2);
    this.#int16(fields);
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  /** The rows so far, with the trailer of COPY. */
  finished(): Buffer {
    this.#room(TRAILER_BYTES);
    this.#int16(-1);
    return this.#bytes.subarray(0, this.#at);
  }

  bytes(value: Buffer | null): void {
    if (value === null) return this.#null();
    this.#room(4 + value.length);
    this.#int32(value.length);
    for (let n = 0; n < value.length; n += 1) this.#bytes[this.#at + n] = value[n]!;
    this.#at += value.length;
  }

  text(value: string | null): void {
    if (value === null) return this.#null();
    this.#room(4 + value.length);
    this.#int32(value.length);
    if (value.length > MAX_LOOPED_CHARACTERS) this.#bytes.write(value, this.#at, 'latin1');
    else for (let n = 0; n < value.length; n += 1) this.#bytes[this.#at + n] = value.charCodeAt(n);
    this.#at += value.length;
  }

  texts(values: readonly string[] | null): void {
    if (values === null) return this.#null();
    const dimensions = values.length === 0 ? 0 : 1;
    const bytes = values.reduce((sum, value) => sum + 4 + value.length, 12 + 8 * dimensions);
    this.#room(4 + bytes);
    for (const part of [bytes, dimensions, 0, TEXT_OID]) this.#int32(part);
    if (dimensions === 1) {
      this.#int32(values.length);
      this.#int32(1);
    }
    for (const value of values) this.text(value);
  }

  int16(value: number): void {
    this.#room(6);
    this.#int32(2);
    this.#int16(value);
  }

  int32(value: number): void {
    this.#room(8);
    this.#int32(4);
    this.#int32(value);
  }

  int64(value: number | null): void {
    if (value === null) return this.#null();
    this.#room(12);
    this.#int32(8);
    this.#int32(Math.floor(value / 2 ** 32));
    // `#int32` drops the bits beyond 32.
    this.#int32(value - Math.floor(value / 2 ** 32) * 2 ** 32);
  }

  flag(value: boolean): void {
    this.#room(5);
    this.#int32(1);
    this.#bytes[this.#at] = value ? 1 : 0;
    this.#at += 1;
  }

  /** Milliseconds since 1970. */
  time(value: number | null): void {
    this.int64(value === null ? null : (value - POSTGRES_EPOCH_MS) * 1_000);
  }

  #null(): void {
    this.#room(4);
    this.#int32(-1);
  }

  #int16(value: number): void {
    this.#bytes[this.#at] = value >>> 8;
    this.#bytes[this.#at + 1] = value;
    this.#at += 2;
  }

  #int32(value: number): void {
    const bytes = this.#bytes;
    const at = this.#at;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
    this.#at = at + 4;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
