interface StopStep {
  /** What it ends, in words for the log. */
  readonly part: string;
  readonly run: () => unknown;
}

/** Ends the parts of a process one after the other, the last one added first. */
export class StopSteps {
  readonly #steps: StopStep[] = [];
  #ending: string | null = null;

  add(part: string, run: () => unknown): void {
    this.#steps.push({ part, run });
  }

  /** For a part that must outlive all others, whenever it began. */
  addLast(part: string, run: () => unknown): void {
    this.#steps.unshift({ part, run });
  }

  /** A part that fails does not keep the others from ending. */
  async run(onFailure: (part: string, error: unknown) => void): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      this.#ending = step.part;
      try {
        await step.run();
      } catch (error) {
        onFailure(step.part, error);
      }
    }
    this.#ending = null;
  }

  /** Parts that have not ended: the one that is ending first, then those that wait for it. */
  get unfinished(): readonly string[] {
    const waiting = this.#steps.map(({ part }) => part).reverse();
    return this.#ending === null ? waiting : [this.#ending, ...waiting];
  }
}
