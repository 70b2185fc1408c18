/** PGCOPY, signature, flags and the length of an extension that no version uses. */
const HEADER_BYTES = 19;
const HEADER_START = Buffer.from('PGCOPY\n');
const NULL_LENGTH = -1;

/**
 * One row of a COPY in binary form. The same object stands for every row, and its bytes are the connection's buffer: whatever is to
 * outlive the call that got it must be copied. A field is named by its place in the select list, from 0.
 */
export class BinaryRow {
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  /** Points at the row of a CopyData message; false for the one that ends the rows. */
  read(message: Buffer): boolean {
    let at =
      message.length >= HEADER_BYTES && message.subarray(0, HEADER_START.length).equals(HEADER_START)
        ? HEADER_BYTES
        : 0;
    const fields = message.readInt16BE(at);
    if (fields < 0) return false;
    at += 2;
    this.#bytes = message;
    this.#view = new DataView(message.buffer, message.byteOffset, message.length);
    for (let field = 0; field < fields; field++) {
      const length = this.#view.getInt32(at);
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

  /** The field's bytes, as a view that the next row overwrites; empty for null. */
  bytes(field: number): Buffer {
    const start = this.#starts[field] ?? 0;
    return this.#bytes.subarray(start, start + Math.max(0, this.#lengths[field] ?? 0));
  }

  /** Copies the field's bytes to `target` and answers the place behind them. */
  copy(field: number, target: Buffer, at: number): number {
    const start = this.#starts[field] ?? 0;
    return at + this.#bytes.copy(target, at, start, start + Math.max(0, this.#lengths[field] ?? 0));
  }

  int32(field: number): number {
    return this.#view.getInt32(this.#starts[field] ?? 0);
  }

  int16(field: number): number {
    return this.#view.getInt16(this.#starts[field] ?? 0);
  }

  int64(field: number): bigint {
    return this.#view.getBigInt64(this.#starts[field] ?? 0);
  }

  flag(field: number): boolean {
    return this.#view.getUint8(this.#starts[field] ?? 0) === 1;
  }

  /** A text of the database's encoding, which is UTF-8. */
  text(field: number): string {
    const start = this.#starts[field] ?? 0;
    return this.#bytes.toString('utf8', start, start + Math.max(0, this.#lengths[field] ?? 0));
  }

  /** Bytes as a string of as many characters, for use as a key. */
  key(field: number): string {
    const start = this.#starts[field] ?? 0;
    return this.#bytes.toString('latin1', start, start + Math.max(0, this.#lengths[field] ?? 0));
  }

  /** A UUID in its usual form. */
  uuid(field: number): string {
    const hex = this.bytes(field).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** A timestamptz as milliseconds since 1970. */
  milliseconds(field: number): number {
    return Number(this.int64(field) / 1_000n) + POSTGRES_EPOCH_MS;
  }
}

/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
