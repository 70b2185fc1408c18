/**
 * Many byte strings as one binary parameter: an array of bytea would travel as hexadecimal text, twice as long. The
 * statement cuts the slices out again with `substring(bytes from at for length)`.
 */
export class ByteArena {
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** Returns where the slice begins (1-based, as SQL counts) and its length. */
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

const calls = new Map<string, string>();

/** A call of a function that gives one row; its number of parameters never changes. */
export function callOf(name: string, parameters: number): string {
  const known = calls.get(name) ?? `select * from ${name}(${placeholders(1, parameters).join(', ')})`;
  calls.set(name, known);
  return known;
}

/** `$from` and the following, so many of them. */
export function placeholders(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `$${from + at}`);
}
