import type { ServerResponse } from 'node:http';
import type { ServiceIdentity } from '../identity/service-token.js';
import type { ReceivedParcel } from '../wire/parcel.js';
import type { IncomingCall } from './call-route.js';

/** What is longer than this is no deadline. */
const MAX_DEADLINE_MS = 24 * 3_600_000;

/** A call while it is served: its deadline, and whether its caller is still there. */
export class OpenCall {
  readonly #response: ServerResponse;
  readonly caller: ServiceIdentity;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | null = null;
  #over = false;

  /** `onDeadline` is called when the caller's time is up and nothing was answered. */
  constructor(response: ServerResponse, caller: ServiceIdentity, deadline: string | undefined, onDeadline: () => void) {
    this.#response = response;
    this.caller = caller;
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

  /** Made when it is asked for: most calls never look at it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over) this.#controller.abort();
    return this.#controller.signal;
  }

  with({ head, bytes }: ReceivedParcel): IncomingCall {
    const readSignal = (): AbortSignal => this.signal;
    return {
      head,
      bytes,
      caller: this.caller,
      get signal() {
        return readSignal();
      },
    };
  }

  /** The answer begins in time; how long it is does not matter. */
  answers(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#over) return;
    this.#over = true;
    if (!this.#response.writableFinished) this.#controller?.abort();
  }
}
