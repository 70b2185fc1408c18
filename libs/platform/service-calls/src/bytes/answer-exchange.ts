import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { errors } from 'undici';
import type { Dispatcher } from 'undici';

/** An answer whose head has arrived */
export interface OpenAnswer {
  readonly httpStatus: number;
  readonly headers: IncomingHttpHeaders;
  /** Reads from the connection only on demand. Destroying it closes the connection. */
  readonly body: Readable;
}

/** One request with a streamed answer. Fails if no byte of a read answer arrives within `bodyTimeout`. */
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

  /** Ends the request from outside. Sends nothing more of it. */
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
        if (!this.#isOver) controller.abort(error ?? new Error('the reader closed the stream'));
        this.#isOver = true;
        done(error);
      },
    });
    // Without a listener, an error before the reader listens would end the process.
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
    this.#body?.destroy(isSilent ? new Error('no bytes of the answer arrived in time', { cause: error }) : error);
  }
}
