/** The throttle's clock; tests advance it by hand. */
export interface Pace {
  now(): number;
  /** Calls back once after `ms`; returns a function that cancels it. */
  later(ms: number, call: () => void): () => void;
}

export const REAL_PACE: Pace = {
  now: () => performance.now(),
  later(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Calls `tell` at once, then at most once per interval; requests in between are served at its end, never dropped. */
export class Throttle {
  readonly #intervalMs: number;
  readonly #pace: Pace;
  readonly #tell: () => void;
  #last = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(intervalMs: number, pace: Pace, tell: () => void) {
    this.#intervalMs = intervalMs;
    this.#pace = pace;
    this.#tell = tell;
  }

  ask(): void {
    if (this.#cancel !== null) return;
    const wait = this.#last + this.#intervalMs - this.#pace.now();
    if (wait <= 0) this.#sendNow();
    else this.#cancel = this.#pace.later(wait, () => this.#sendNow());
  }

  /** Nothing follows: send what waits now. */
  flush(): void {
    if (this.#cancel !== null) this.#sendNow();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #sendNow(): void {
    this.stop();
    this.#last = this.#pace.now();
    this.#tell();
  }
}
