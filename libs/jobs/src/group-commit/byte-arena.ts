/**
 * Packs byte strings into one binary parameter: an array of bytea would be sent as hexadecimal text, twice as long. The
 * statement extracts slices with `substring(bytes from at for length)`.
 */
export class ByteArena {
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** Returns the offset of the slice (1-based, as in SQL) and its length. */
  add(bytes: Buffer): { readonly at: number; readonly length: number } {
    const at = this.#length + 1;
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return { at, length: bytes.length };
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }
}

/** A PostgreSQL array literal of values that need no quoting (numbers, UUIDs, booleans, plain words). */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : String(value))).join(',')}}`;
}
