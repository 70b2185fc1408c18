import { backoffMs } from '@heddle/contracts-messages';

/** Failures in a row after which the scanner itself counts as down. */
const MANY_FAILURES = 8;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * Scans under way at once. While every scan fails, one at a time is tried with backoff: a scanner that is down
 * must not cost a request for each of a million waiting hashes.
 */
export class ScanLane {
  readonly #running = new Map<string, Promise<void>>();
  #failures = 0;
  #pausedUntil = 0;

  constructor(private readonly slots: number) {}

  /** How many scans may start now. */
  room(now: number): number {
    if (this.#failures < MANY_FAILURES) return this.slots - this.#running.size;
    return this.#running.size === 0 && now >= this.#pausedUntil ? 1 : 0;
  }

  get hashes(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** `scan` never rejects: true if the scanner gave a verdict. `onEnd` is called when its slot is free. */
  start(hash: string, scan: () => Promise<boolean>, onEnd: () => void): void {
    const run = async (): Promise<void> => {
      const answered = await scan();
      this.#running.delete(hash);
      this.#failures = answered ? 0 : this.#failures + 1;
      const growth = Math.max(0, this.#failures - MANY_FAILURES);
      this.#pausedUntil = performance.now() + backoffMs(growth, FIRST_PAUSE_MS, MAX_PAUSE_MS);
      onEnd();
    };
    this.#running.set(hash, run());
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
