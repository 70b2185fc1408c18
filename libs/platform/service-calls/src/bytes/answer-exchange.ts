import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { errors } from 'undici';
import type { Dispatcher } from 'undici';

/** An answer that has begun. */
export interface OpenAnswer {
  readonly httpStatus: number;
  readonly headers: IncomingHttpHeaders;
  /** No more is read from the connection than is taken; destroying it cuts the connection. */
  readonly body: Readable;
}

/** One request, whose answer is a stream; it breaks where it is wanted and nothing of it comes for the `bodyTimeout`. */
export class AnswerExchange implements Dispatcher.DispatchHandler {
  readonly opened: Promise<OpenAnswer>;
  #resolve!: (answer: OpenAnswer) => void;
  #reject!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #given: Error | null = null;
  #body: Readable | null = null;
  #isOver = false;

  constructor() {
    this.opened = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends it from outside. What was not sent yet never will be. */
  giveUp(error: Error): void {
    if (this.#given !== null || this.#isOver) return;
    this.#given = error;
    this.#reject(error);
    this.#body?.destroy(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#given !== null) controller.abort(this.#given);
  }

  onResponseStart(controller: Dispatcher.DispatchController, httpStatus: number, headers: IncomingHttpHeaders): void {
    const body = new Readable({
      read: () => void (controller.paused && controller.resume()),
      destroy: (error, done) => {
        if (!this.#isOver) controller.abort(error ?? new Error('its reader wants no more of it'));
        this.#isOver = true;
        done(error);
      },
    });
    // Until its reader listens, an early end of it must not end the process.
    body.on('error', () => undefined);
    this.#body = body;
    this.#resolve({ httpStatus, headers, body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#body!.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#isOver = true;
    this.#body!.push(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#isOver = true;
    this.#reject(error);
    const isSilent = error instanceof errors.BodyTimeoutError;
    this.#body?.destroy(isSilent ? new Error('nothing of the answer came for too long', { cause: error }) : error);
  }
}
