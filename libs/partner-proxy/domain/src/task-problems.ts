export type TaskFields = Readonly<Record<string, unknown>>;

/** Absent: left out, null, or "" for an optional text (registry decisions, Absent). */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Collects what is wrong with each field, by its path. */
export class TaskProblems {
  readonly #found: string[] = [];

  get found(): readonly string[] {
    return this.#found;
  }

  /** `problem` is the end of a sentence; null: nothing is wrong. */
  note(path: string, problem: string | null): void {
    if (problem !== null) this.#found.push(`${path}: ${problem}`);
  }

  /** A whole number, or `fallback` where it is absent. */
  whole(path: string, value: unknown, range: { readonly min: number; readonly max: number }, fallback: number): number {
    if (value === undefined || value === null) return fallback;
    const isRight = Number.isInteger(value) && (value as number) >= range.min && (value as number) <= range.max;
    if (isRight) return value as number;
    this.note(path, `must be a whole number from ${range.min} to ${range.max}`);
    return fallback;
  }

  /** One of a few names, or `fallback` where it is absent; null: it is required. */
  oneOf<T extends string>(path: string, value: unknown, names: readonly T[], fallback: T | null): T {
    const found = names.find((name) => name === value);
    if (found !== undefined) return found;
    if (fallback === null || !isAbsent(value)) this.note(path, `must be one of ${names.join(', ')}`);
    return fallback ?? names[0]!;
  }

  /** A text of at most `max` code points, or "" where it is absent. */
  text(path: string, value: unknown, max: number): string {
    if (isAbsent(value)) return '';
    if (typeof value !== 'string') this.note(path, 'must be a string');
    else if (value.length > max && (value.length > 2 * max || [...value].length > max))
      this.note(path, `must have at most ${max} characters`);
    // The database takes no text with one, and no vendor gets one.
    else if (value.includes('\u0000')) this.note(path, 'must not contain the character zero');
    // Neither the database nor UTF-8 has one: it would come back as another character.
    else if (!value.isWellFormed()) this.note(path, 'must not contain half of a surrogate pair');
    else return value;
    return '';
  }
}
