/** Monotonic times of the process around a question, and the database's answer, in milliseconds. */
export interface ClockReading {
  readonly askedMs: number;
  readonly processMs: number;
  /** Since 1970. */
  readonly databaseMs: number;
}

/**
 * `jumped`: found just now. `off`: still, and not to be trusted. `returned`: right again after a jump. `outdated`: a
 * later reading has found a jump. The clock may be trusted if it is `right` or has `returned` or `stayed`.
 */
export type ClockVerdict = 'right' | 'jumped' | 'off' | 'outdated' | 'returned' | 'stayed';

/**
 * Judges whether the database's clock advances like the monotonic clock of this process. After a jump it is distrusted
 * until it is right again. One that stays off, as on a machine that slept, is trusted again after the tolerance.
 */
export class ClockGuard {
  #last: ClockReading | null = null;
  #jumpedAtMs: number | null = null;
  #offMs = 0;

  constructor(private readonly toleranceMs: number) {}

  /** 0 while the clock is trusted. */
  get offMs(): number {
    return this.#offMs;
  }

  /** The last trusted reading's time of the database, and the tolerance. Before the first one it allows nothing. */
  get trustedUntilMs(): number {
    return this.#last === null ? -Infinity : this.#last.databaseMs + this.toleranceMs;
  }

  /** `newestMs`: a time that has been, null if none is known: at the first reading an earlier clock is known to be off. */
  judge(reading: ClockReading, newestMs: number | null = null): ClockVerdict {
    if (this.#jumpedAtMs !== null && reading.askedMs < this.#jumpedAtMs) return 'outdated';
    const offMs = this.#offBy(reading, newestMs);
    if (Math.abs(offMs) <= this.toleranceMs) return this.#jumpedAtMs === null ? 'right' : 'returned';
    const isNew = this.#jumpedAtMs === null;
    this.#jumpedAtMs ??= reading.processMs;
    if (reading.processMs - this.#jumpedAtMs > this.toleranceMs) return 'stayed';
    this.#offMs = offMs;
    return isNew ? 'jumped' : 'off';
  }

  /** Ends the distrust: this reading was judged right, returned or stayed, and what that asks for is done. */
  trust(reading: ClockReading): void {
    this.#jumpedAtMs = null;
    this.#offMs = 0;
    this.#last = reading;
  }

  #offBy({ databaseMs, processMs }: ClockReading, newestMs: number | null): number {
    if (this.#last === null) return Math.min(0, databaseMs - (newestMs ?? databaseMs));
    return databaseMs - (this.#last.databaseMs + (processMs - this.#last.processMs));
  }
}
