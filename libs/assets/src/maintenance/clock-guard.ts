/** Maximum difference between the advances of the database's clock and ours before it is distrusted. */
const MAX_JUMP_MS = 300_000;

/** Detects jumps of the database's clock, after which expiry times may be wrong. */
export class ClockGuard {
  #last: { readonly databaseMs: number; readonly monotonicMs: number } | null = null;

  /** False once per jump: the next call accepts the new time. */
  accepts(databaseMs: number, monotonicMs: number): boolean {
    const last = this.#last;
    this.#last = { databaseMs, monotonicMs };
    if (last === null) return true;
    const drift = databaseMs - last.databaseMs - (monotonicMs - last.monotonicMs);
    return Math.abs(drift) <= MAX_JUMP_MS;
  }
}
