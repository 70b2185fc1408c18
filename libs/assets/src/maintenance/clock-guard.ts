/** A database clock that moved so much more or less than ours did is not believed at once. */
const LARGEST_JUMP_MS = 300_000;

/** Tells sweepers when the database's clock has jumped: what it says is expired may not be. */
export class ClockGuard {
  #last: { readonly databaseMs: number; readonly monotonicMs: number } | null = null;

  /** False once per jump: the next call takes the new time as given. */
  accepts(databaseMs: number, monotonicMs: number): boolean {
    const last = this.#last;
    this.#last = { databaseMs, monotonicMs };
    if (last === null) return true;
    const drift = databaseMs - last.databaseMs - (monotonicMs - last.monotonicMs);
    return Math.abs(drift) <= LARGEST_JUMP_MS;
  }
}
