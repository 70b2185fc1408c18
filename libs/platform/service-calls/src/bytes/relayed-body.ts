import { Readable } from 'node:stream';

/** The source of a body broke off before its end: not the called service's doing. */
export class SourceBrokenError extends Error {
  override readonly name = 'SourceBrokenError';
}

/**
 * Lets a call send a body that belongs to somebody else. It takes chunks only as fast as they are sent, and when the
 * call is over early it lets go of its source, paused, so that its owner can still read or answer.
 */
export class RelayedBody extends Readable {
  readonly #source: Readable;
  #begun = false;
  /** performance.now() since when the service has bytes to take or an answer to give; null while the source is awaited. */
  stalledSince: number | null = null;

  constructor(source: Readable) {
    super({ highWaterMark: 64 * 1024, emitClose: true });
    this.#source = source;
  }

  /** False: nothing was taken from the source yet, so another attempt can send it whole. */
  get begun(): boolean {
    return this.#begun;
  }

  override _read(): void {
    this.stalledSince = null;
    if (this.#begun) {
      this.#source.resume();
      return;
    }
    this.#begun = true;
    this.#source.on('error', this.#onError).on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
    if (this.#source.destroyed || this.#source.readableEnded) this.#onClose();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#letGo();
    done(error);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.push(chunk)) return;
    this.stalledSince = performance.now();
    this.#source.pause();
  };

  readonly #onEnd = (): void => {
    this.#letGo();
    this.stalledSince = performance.now();
    this.push(null);
  };

  readonly #onClose = (): void => {
    this.destroy(new SourceBrokenError('the body broke off', { cause: this.#source.errored ?? undefined }));
  };

  readonly #onError = (): void => {
    // 'close' follows and tells it.
  };

  #letGo(): void {
    if (!this.#begun) return;
    // The listener for errors stays: without one an error of the source would end the process.
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    if (!this.#source.readableEnded) this.#source.pause();
  }
}
