/**
 * Repeats a piece of work: at once while there is more, otherwise after an interval. A failure is logged and retried
 * after the interval. `stop` waits for the round in flight.
 */
export class Repeating {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = true;

  constructor(
    private readonly work: () => Promise<boolean>,
    private readonly intervalMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.#stopped = false;
    this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #run(): void {
    this.#round = this.#turn();
  }

  async #turn(): Promise<void> {
    let more = false;
    try {
      more = await this.work();
    } catch (error) {
      if (!this.#stopped) this.onError(error);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#run(), more ? 0 : this.intervalMs);
  }
}
