/**
 * Batches items that arrive while a statement is in flight. There is no timer: an item that finds nothing in flight is
 * sent at the end of the same turn of the event loop, together with the others of that turn.
 */
export class GroupCommit<Item, Result> {
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (reason: unknown) => void }[] = [];
  #inFlight = 0;
  #scheduled = false;

  constructor(
    /** Returns one result per item, in order; a rejection applies to all. */
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: { readonly batchSize: number; readonly inFlight: number },
  ) {}

  /** Items waiting for a statement; the caller bounds them. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** True if no item waits and no statement is in flight. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#inFlight === 0;
  }

  async add(item: Item): Promise<Result> {
    return await new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= this.limits.inFlight || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0, this.limits.batchSize);
    if (batch.length === 0) return;
    this.#inFlight += 1;
    this.#schedule();
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#inFlight -= 1;
      this.#schedule();
    }
  }
}
