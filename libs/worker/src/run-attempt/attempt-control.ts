/** Why a running attempt is stopped from outside. */
export type StopReason = 'cancel' | 'timeout' | 'output_limit' | 'lost' | 'drain';

/**
 * The one handle for stopping a running attempt. The first reason counts, except that a lost lease overrides all
 * others: then the attempt's reports no longer matter.
 */
export class AttemptControl {
  readonly #abort = new AbortController();
  #reason: StopReason | null = null;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get reason(): StopReason | null {
    return this.#reason;
  }

  stop(reason: StopReason): void {
    if (this.#reason === null || reason === 'lost') this.#reason = reason;
    this.#abort.abort();
  }
}
