import { Injectable } from '@nestjs/common';

/** So many archives are judged at once: a hostile one takes a processor for a while. */
const MAX_AT_ONCE = 2;

/** Lets work of all requests of a process begin in its turn. */
@Injectable()
export class JudgeTurns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Rejects once `signal` is aborted before the work began. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#running >= MAX_AT_ONCE) await this.#turn(signal);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The next one takes over the place.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((begin, fail) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        fail(signal.reason as Error);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        begin();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}
