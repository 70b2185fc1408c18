/**
 * Lets the newest of many values through at most once per interval. After a pause the first value passes at once or, if
 * `delayMs` returns a delay for it, after that delay as the newest value of that time (leading edge). The last value
 * always passes (trailing edge).
 */
export class ReportThrottle<T> {
  readonly #intervalMs: number;
  readonly #emit: (value: T) => void;
  readonly #delayMs: (value: T) => number;
  #waiting: { value: T } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(intervalMs: number, emit: (value: T) => void, delayMs: (value: T) => number = () => 0) {
    this.#intervalMs = intervalMs;
    this.#emit = emit;
    this.#delayMs = delayMs;
  }

  offer(value: T): void {
    if (this.#closed) return;
    const delayMs = this.#delayMs(value);
    if (this.#timer === null && delayMs === 0) return this.#letThrough(value);
    this.#waiting = { value };
    this.#timer ??= setTimeout(() => this.#tick(), delayMs);
  }

  /** Lets the waiting value through now: it is the last one. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#tick();
  }

  /** Delays the waiting value by a whole interval from now, unless `close` comes first. */
  postpone(): void {
    if (this.#waiting === null || this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), this.#intervalMs);
  }

  /** Drops the waiting value: the caller's final report contains the last value. */
  close(): void {
    this.#closed = true;
    this.#waiting = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.#letThrough(waiting.value);
  }

  #letThrough(value: T): void {
    this.#timer = setTimeout(() => this.#tick(), this.#intervalMs);
    this.#emit(value);
  }
}
