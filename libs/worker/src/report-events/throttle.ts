/**
 * Lets the newest of many values through at most once per interval: at once after a pause (leading edge), and the
 * last one always (trailing edge), even when nothing follows it.
 */
export class Throttle<T> {
  readonly #intervalMs: number;
  readonly #emit: (value: T) => void;
  #waiting: { value: T } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(intervalMs: number, emit: (value: T) => void) {
    this.#intervalMs = intervalMs;
    this.#emit = emit;
  }

  offer(value: T): void {
    if (this.#closed) return;
    if (this.#timer !== null) {
      this.#waiting = { value };
      return;
    }
    this.#emit(value);
    this.#timer = setTimeout(() => this.#tick(), this.#intervalMs);
  }

  /** Lets the value that waits through now, whatever the interval says: it is the last one. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#tick();
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
    if (waiting !== null) this.offer(waiting.value);
  }
}
