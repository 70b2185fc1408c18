import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';
import type { ServiceLease } from './service-lease.js';

const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;

interface LoneWork {
  readonly lease: ServiceLease;
  /** One step under the lease, aborted by the signal; returns the milliseconds until the next one is due. */
  step(signal: AbortSignal): Promise<number>;
  onError(error: unknown): void;
}

/** Repeats work in one process at a time, from start to stop. */
export class SingletonTask {
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  /** Aborted when there is more to do. */
  #waking = new AbortController();

  constructor(private readonly work: LoneWork) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** There is work: ends the pause after a step or, during a step, skips it. */
  wake(): void {
    this.#waking.abort();
  }

  /** Waits for the current step, then leaves the work to others. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (this.#running !== null) await this.work.lease.release().catch((error: unknown) => this.work.onError(error));
    this.#running = null;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      this.#waking = new AbortController();
      // After a failure, or while another process has the work, asking again at once does not help.
      let until = signal;
      let pauseMs: number;
      try {
        const { lease } = this.work;
        if (await lease.claim()) {
          pauseMs = await this.work.step(signal);
          until = AbortSignal.any([signal, this.#waking.signal]);
        } else pauseMs = lease.lifeMs / 3;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.work.onError(error);
        pauseMs = backoffMs(failures++, MIN_BACKOFF_MS, MAX_BACKOFF_MS);
      }
      if (pauseMs > 0) await delay(pauseMs, undefined, { signal: until, ref: false }).catch(() => undefined);
    }
  }
}
