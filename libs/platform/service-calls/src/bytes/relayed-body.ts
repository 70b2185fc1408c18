import { Readable } from 'node:stream';

/** The source of an upload broke off before its end. The called service is not at fault. */
export class SourceBrokenError extends Error {
  override readonly name = 'SourceBrokenError';
}

/**
 * Sends the body of another request. Reads chunks only as fast as they are sent. If the call ends early, the source stays
 * open and paused, so that its owner can still read or answer it.
 */
export class RelayedBody extends Readable {
  readonly #source: Readable;
  #begun = false;
  /** performance.now() since the service owes progress; null while the source is slow. */
  stalledSince: number | null = null;

  constructor(source: Readable) {
    super({ highWaterMark: 64 * 1024, emitClose: true });
    this.#source = source;
  }

  /** False while nothing was read from the source: another attempt can still send all of it. */
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
    // 'close' follows and reports it.
  };

  #letGo(): void {
    if (!this.#begun) return;
    // The error listener stays: without it, an error of the source would end the process.
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    if (!this.#source.readableEnded) this.#source.pause();
  }
}
