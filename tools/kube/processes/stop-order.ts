/** Stops of what was started, run in reverse order. */
export class StopOrder {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** Runs every step, also after one that fails; rejects with the first failure. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** What `start` returns; if it fails, what it has started is stopped. */
  async guard<Started>(start: () => Promise<Started>): Promise<Started> {
    try {
      return await start();
    } catch (error) {
      await this.run().catch(() => undefined);
      throw error;
    }
  }
}
