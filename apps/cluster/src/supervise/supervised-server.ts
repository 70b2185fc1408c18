import type { ProcessLives } from './process-lives.js';

/** A server of somebody else's that runs here, as it is started and stopped. */
export interface LocalServer {
  start(): Promise<void>;
  stop(): Promise<void>;
  pid(): number | undefined;
}

/** A local server that runs, started again whenever it ends without being asked to. */
export class SupervisedServer {
  #stopping = false;
  #timer: NodeJS.Timeout | null = null;
  #restart: Promise<void> = Promise.resolve();

  constructor(
    readonly lives: ProcessLives,
    private readonly server: LocalServer,
  ) {
    lives.runs(server.pid());
  }

  /** To be called when it has ended unasked. */
  ended(how: string): void {
    if (this.#stopping) return;
    const pauseMs = this.lives.ended(how);
    if (pauseMs === null) return;
    this.#timer = setTimeout(() => (this.#restart = this.#startAgain()), pauseMs);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.server.stop();
    // A start that was under way may have made its process only now.
    await this.#restart;
    await this.server.stop();
    this.lives.stops();
  }

  async #startAgain(): Promise<void> {
    try {
      await this.server.start();
    } catch (error) {
      return this.ended(`it did not start: ${firstLine(error)}`);
    }
    if (!this.#stopping) this.lives.runs(this.server.pid());
  }
}

/** A failed start brings the end of a log along, which stays there. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
