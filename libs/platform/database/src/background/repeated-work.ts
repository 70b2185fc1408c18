/**
 * Repeats a work on a database, never twice at once: a round follows the one before at once if that returned true (there
 * may be more), otherwise after an interval, and after a failure too.
 */
export class RepeatedWork {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = true;

  constructor(
    private readonly work: () => Promise<boolean | void>,
    /** Not called for a round that fails after `stop`: what the work needs may be closing. */
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** `firstMs`: pause before the first round. */
  start(everyMs: number, firstMs = 0): void {
    this.#stopped = false;
    if (firstMs === 0) this.#next(everyMs);
    else this.#timer = setTimeout(() => this.#next(everyMs), firstMs).unref();
  }

  /** Waits for the round in flight. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #next(everyMs: number): void {
    this.#round = this.#repeat(everyMs);
  }

  async #repeat(everyMs: number): Promise<void> {
    let more: boolean | void = false;
    try {
      more = await this.work();
    } catch (error) {
      if (!this.#stopped) this.onFault(error);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#next(everyMs), more === true ? 0 : everyMs).unref();
  }
}
