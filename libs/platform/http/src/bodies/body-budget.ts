import type { BodyFault } from './body-fault.js';

/** Default maximum of body bytes that a process holds. */
export const BODY_BUDGET_DEFAULT_BYTES = 256 * 1024 ** 2;

/** Body bytes that this process holds: bodies that arrive, and those of unanswered requests. */
export class BodyBudget {
  #held = 0;

  constructor(
    readonly bytes: number,
    private readonly whole: BodyBudget | null = null,
  ) {}

  /** A budget within this one, for an API that must not use it up: what it holds counts in both. It has room for one body. */
  part(share: number, bodyBytes: number): BodyBudget {
    return new BodyBudget(Math.max(this.bytes * share, bodyBytes), this);
  }

  /** False if there is no room; then nothing is reserved. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.bytes || this.whole?.take(bytes) === false) return false;
    this.#held += bytes;
    return true;
  }

  /** Reserves even above the limit. */
  add(bytes: number): void {
    this.#held += bytes;
    this.whole?.add(bytes);
  }

  give(bytes: number): void {
    this.#held -= bytes;
    this.whole?.give(bytes);
  }

  get held(): number {
    return this.#held;
  }
}

/** One request's share of the budget. */
export class BodyShare {
  #taken = 0;
  #over = false;
  #holders = 0;

  /** `onFault` receives the reason if a body was refused. */
  constructor(
    private readonly budget: BodyBudget,
    private readonly onFault: (fault: BodyFault) => void = () => undefined,
  ) {}

  /** Grows the share to this size; false if there is no room. */
  grow(bytes: number): boolean {
    const more = bytes - this.#taken;
    if (more <= 0) return true;
    if (this.#over || !this.budget.take(more)) return false;
    this.#taken = bytes;
    return true;
  }

  /** Runs the work that uses the body. The share lasts until it settles, even if the client is gone. */
  async holdWhile<T>(work: () => T | Promise<T>): Promise<T> {
    this.#holders += 1;
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#over) this.#give();
    }
  }

  /** The answer is complete, or the body was refused. Only the first call counts. */
  end(fault?: BodyFault): void {
    if (!this.#over && fault !== undefined) this.onFault(fault);
    this.#over = true;
    this.#give();
  }

  #give(): void {
    if (this.#holders > 0) return;
    this.budget.give(this.#taken);
    this.#taken = 0;
  }
}
