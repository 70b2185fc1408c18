import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 250;
/** A process that did nothing for longer was frozen, or its machine was: its callers may have hung up. */
const STALLED_MS = 1_000;
/** As long after that calls of that time may still be read. */
const AFTERMATH_MS = 2_000;
/** Time in which the end of a connection is noticed that was read behind its call. */
const NOTICE_MS = 20;

/**
 * Notices that the process stood still. Calls that were sent meanwhile are read at once when it goes on, also those whose
 * callers have given up and answered their clients. Such a call must not be carried out.
 */
export class StallWatch {
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #stalledAt = -Infinity;

  start(): void {
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Resolves when it shows whether a caller is still there; null where the process did not stand still. */
  settled(): Promise<void> | null {
    this.#look();
    return performance.now() - this.#stalledAt < AFTERMATH_MS ? delay(NOTICE_MS) : null;
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#last > STALLED_MS) this.#stalledAt = now;
    this.#last = now;
  }
}
