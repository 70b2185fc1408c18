/** Lets one loop sleep until a nudge or a time-out; nudges while it works count as one. */
export class Wakeup {
  #nudged = false;
  #wake: (() => void) | undefined;

  nudge(): void {
    this.#nudged = true;
    this.#wake?.();
  }

  /** True when it was nudged. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#nudged) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    const nudged = this.#nudged;
    this.#nudged = false;
    return nudged;
  }
}
