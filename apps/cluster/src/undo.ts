/** Undo steps of a start, run in reverse order. */
export class Undo {
  readonly #steps: (() => unknown)[] = [];

  constructor(private readonly progress: (line: string) => void) {}

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Runs every step, also after one that fails, which is reported and skipped. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        this.progress(String(error));
      }
    }
  }
}
