import type { ServerResponse } from 'node:http';

/** A longer deadline is ignored. */
const MAX_DEADLINE_MS = 24 * 3_600_000;

/** A byte call that is being served: its deadline, and whether its caller is still connected. */
export class OpenTransfer {
  readonly #timer: NodeJS.Timeout | undefined;
  #over = false;

  /** `onDeadline` is called if the deadline passes before an answer begins. */
  constructor(response: ServerResponse, deadline: string | undefined, onDeadline: () => void) {
    const remaining = Number(deadline);
    if (deadline !== undefined && remaining >= 0 && remaining <= MAX_DEADLINE_MS) {
      this.#timer = setTimeout(() => {
        this.end();
        onDeadline();
      }, remaining);
    }
    response.once('close', () => this.end());
    // The caller disconnected while its token was verified.
    if (response.destroyed) this.end();
  }

  /** True if the caller no longer waits for the answer. */
  get isOver(): boolean {
    return this.#over;
  }

  /** The answer begins: the deadline no longer applies. */
  answers(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over = true;
  }
}
