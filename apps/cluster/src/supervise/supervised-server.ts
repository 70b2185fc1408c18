import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { ProcessLives } from './process-lives.js';

/** A third-party server that runs here. */
interface LocalServer {
  start(): Promise<void>;
  stop(): Promise<void>;
  pid(): number | undefined;
}

/** A running local server, restarted whenever it ends unexpectedly. */
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

  /** Call it when the server ended unexpectedly. */
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
    // A restart in progress may have created its process only now.
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

/** A failed start's message contains the end of a log; the first line is enough. */
function firstLine(error: unknown): string {
  return errorMessage(error).split('\n', 1)[0] ?? '';
}
