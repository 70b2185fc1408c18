/** Bytes of bodies that this process holds at once: those that arrive, and those whose requests are not answered yet. */
export class BodyBudget {
  #held = 0;

  constructor(private readonly bytes: number) {}

  get held(): number {
    return this.#held;
  }

  /** False where there is no room; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.bytes) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

/** What one request has of the budget. */
export class BodyShare {
  #taken = 0;
  #over = false;

  constructor(private readonly budget: BodyBudget) {}

  /** Makes the share as large as this; false where there is no room for that. */
  grow(bytes: number): boolean {
    const more = bytes - this.#taken;
    if (more <= 0) return true;
    if (this.#over || !this.budget.take(more)) return false;
    this.#taken = bytes;
    return true;
  }

  /** The request is over. Once, however often it is called. */
  end(): void {
    this.#over = true;
    this.budget.give(this.#taken);
    this.#taken = 0;
  }
}
