/**
 * Lets the newest of many values through at most once per interval. After a pause the first value passes at once or, if
 * `gatherMs` returns a delay for it, after that delay as the newest value of that time (leading edge). The last value
 * always passes (trailing edge).
 */
export class ReportThrottle<T> {
  readonly #intervalMs: number;
  readonly #emit: (value: T) => void;
  readonly #gatherMs: (value: T) => number;
  #waiting: { value: T } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(intervalMs: number, emit: (value: T) => void, gatherMs: (value: T) => number = () => 0) {
    this.#intervalMs = intervalMs;
    this.#emit = emit;
    this.#gatherMs = gatherMs;
  }

  offer(value: T): void {
    if (this.#closed) return;
    const gatherMs = this.#gatherMs(value);
    if (this.#timer === null && gatherMs === 0) return this.#letThrough(value);
    this.#waiting = { value };
    this.#timer ??= setTimeout(() => this.#tick(), gatherMs);
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
