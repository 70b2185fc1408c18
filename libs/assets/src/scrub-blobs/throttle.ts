import { setTimeout as delay } from 'node:timers/promises';

/** Spreads bytes over time: each piece waits until the earlier ones have used their share of the second. */
export class ByteThrottle {
  #freeAt = performance.now();

  constructor(private readonly bytesPerSecond: number) {}

  /** Resolves when the rate allows the next piece; rejects when the signal aborts the wait. */
  async pay(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    // Unused rate is not saved: no burst follows a long rest.
    this.#freeAt = Math.max(now, this.#freeAt) + (bytes / this.bytesPerSecond) * 1000;
    await delay(Math.max(0, this.#freeAt - now), undefined, { signal, ref: false });
  }
}
