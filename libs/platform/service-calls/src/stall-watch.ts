import { setTimeout as delay } from 'node:timers/promises';

const LOOK_INTERVAL_MS = 250;
/** A process that was blocked for longer was frozen. Its callers may have hung up. */
const STALLED_MS = 1_000;
/** How long after a stall calls that were sent during it may arrive */
const LATE_CALLS_WINDOW_MS = 2_000;
/** Time to notice that a connection was closed behind its call */
const NOTICE_MS = 50;

/**
 * Detects stalls of the process. After a stall, calls arrive whose callers have already given up and answered their clients.
 * Such a call must not be carried out.
 */
export class StallWatch {
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #stalledAt = -Infinity;

  start(): void {
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Resolves once it is clear whether a caller is still connected; null if there was no stall. */
  settled(): Promise<void> | null {
    this.#look();
    return performance.now() - this.#stalledAt < LATE_CALLS_WINDOW_MS ? delay(NOTICE_MS) : null;
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#last > STALLED_MS) this.#stalledAt = now;
    this.#last = now;
  }
}
