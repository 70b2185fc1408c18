/** What has to be undone of a start, the last step first. */
export class Undo {
  readonly #steps: (() => unknown)[] = [];

  constructor(private readonly progress: (line: string) => void) {}

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Every step, also after one that fails: that one is told and passed over. */
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
