const MAX_KINDS = 256;

/**
 * Limits repeated log lines of one kind: the first in a period is logged, the rest are counted, and the next logged
 * line reports how many were skipped.
 */
export class RepeatGuard {
  readonly #kinds = new Map<string, { until: number; suppressed: number }>();

  constructor(
    /** Minimum interval between two lines of a kind, in milliseconds. */
    private readonly periodMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Null to skip the line; otherwise the number of skipped lines since the last one. */
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
