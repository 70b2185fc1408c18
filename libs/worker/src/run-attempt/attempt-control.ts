/** Why a running attempt is stopped from outside. */
export type StopReason = 'cancel' | 'timeout' | 'output_limit' | 'lost' | 'drain';

/**
 * The one handle by which a running attempt is stopped. The first reason counts, save that a lost lease overrides
 * everything: then nothing the attempt says matters any more.
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
