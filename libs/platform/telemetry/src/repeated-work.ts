/** Runs a work again and again, never twice at once. */
export class RepeatedWork {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  start(everyMs: number): void {
    this.#timer = setInterval(() => this.#look(), everyMs).unref();
    this.#look();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #look(): void {
    this.#running ??= this.work()
      .catch(this.onFault)
      .finally(() => {
        this.#running = null;
      });
  }
}
