import type { ServerResponse } from 'node:http';

/** What is longer than this is no deadline. */
const MAX_DEADLINE_MS = 24 * 3_600_000;

/** A call for bytes while it is served: its deadline, and whether its caller is still there. */
export class OpenTransfer {
  readonly #timer: NodeJS.Timeout | undefined;
  #over = false;

  /** `onDeadline` is called when the caller's time is up and nothing was answered. */
  constructor(response: ServerResponse, deadline: string | undefined, onDeadline: () => void) {
    const remaining = Number(deadline);
    if (deadline !== undefined && remaining >= 0 && remaining <= MAX_DEADLINE_MS) {
      this.#timer = setTimeout(() => {
        this.end();
        onDeadline();
      }, remaining);
    }
    response.once('close', () => this.end());
    // Its caller hung up while its token was verified.
    if (response.destroyed) this.end();
  }

  /** Nobody waits for the answer any more. */
  get isOver(): boolean {
    return this.#over;
  }

  /** The answer begins in time; how long it is does not matter. */
  answers(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over = true;
  }
}
