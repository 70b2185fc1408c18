const MAX_FAILURES = 5;
const REST_MS = 10_000;

/** Rests after failures in a row, then lets one call through: only its success ends the rest. */
export class VendorBreaker {
  #failures = 0;
  #restsUntil = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Milliseconds until a call is let through; 0: now, and the call must be reported. */
  admit(): number {
    if (this.#failures < MAX_FAILURES) return 0;
    const left = this.#restsUntil - this.now();
    if (left > 0) return left;
    // The others wait while this call finds out.
    this.#restsUntil = this.now() + REST_MS;
    return 0;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= MAX_FAILURES) this.#restsUntil = this.now() + REST_MS;
  }
}
