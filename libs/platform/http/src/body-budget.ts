import type { BodyFault } from './body-fault.js';

/** What a process holds at once where no setting says. */
export const BODY_BUDGET_DEFAULT_BYTES = 256 * 1024 ** 2;

/** Bytes of bodies that this process holds at once: those that arrive, and those whose requests are not answered yet. */
export class BodyBudget {
  #held = 0;

  constructor(private readonly bytes: number) {}

  /** False where there is no room; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.bytes) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }

  get held(): number {
    return this.#held;
  }
}

/** What one request has of the budget. */
export class BodyShare {
  #taken = 0;
  #over = false;
  #holders = 0;

  /** `onFault` is told why a body was refused. */
  constructor(
    private readonly budget: BodyBudget,
    private readonly onFault: (fault: BodyFault) => void = () => undefined,
  ) {}

  /** Makes the share as large as this; false where there is no room for that. */
  grow(bytes: number): boolean {
    const more = bytes - this.#taken;
    if (more <= 0) return true;
    if (this.#over || !this.budget.take(more)) return false;
    this.#taken = bytes;
    return true;
  }

  /** Carries out what has the body. The share does not end before it settles, even if the client is long gone. */
  async holdWhile<T>(work: () => T | Promise<T>): Promise<T> {
    this.#holders += 1;
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#over) this.#give();
    }
  }

  /** The answer is over, or the body was refused. Counts once, however often it is called. */
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
