const MAX_KINDS = 256;

/**
 * Keeps one kind of trouble from filling the log: the first of a period is told, the others are counted, and the next
 * one that is told says how many were left out.
 */
export class RepeatGuard {
  readonly #kinds = new Map<string, { until: number; suppressed: number }>();

  constructor(
    /** Milliseconds in which one line of a kind is enough. */
    private readonly periodMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Null: leave it out. Else how many of this kind were left out since the last one that was told. */
  admit(kind: string): number | null {
    const now = this.now();
    const known = this.#kinds.get(kind);
    if (known !== undefined && now < known.until) {
      known.suppressed += 1;
      return null;
    }
    this.#kinds.delete(kind);
    this.#kinds.set(kind, { until: now + this.periodMs, suppressed: 0 });
    if (this.#kinds.size > MAX_KINDS) {
      const oldest = this.#kinds.keys().next();
      if (!oldest.done) this.#kinds.delete(oldest.value);
    }
    return known?.suppressed ?? 0;
  }
}
