/**
 * Lets the newest of many values through at most once per interval: after a pause at once, or, where `gatherMs` says so of the value,
 * so much later with the newest of what came in that time (leading edge), and the last one always (trailing edge), even when nothing follows it.
 */
export class Throttle<T> {
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

  /** Lets the value that waits through now, whatever the interval says: it is the last one. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#tick();
  }

  /** What waits has time: it goes through a whole interval from now, unless `close` comes before. */
  postpone(): void {
    if (this.#waiting === null || this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), this.#intervalMs);
  }

  /** Drops what waits: the caller's closing report carries the last value itself. */
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
