import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { GatheredBytes } from '@heddle/platform-http/gathered-bytes';
import type { Dispatcher } from 'undici';
import { AttemptFailed, errorOfAnswer } from './call-errors.js';
import { reasonOf } from './parcel-exchange.js';

const REFUSAL_BYTES = 64 * 1024;

/** An answer that has begun. */
export interface OpenStream {
  readonly headers: IncomingHttpHeaders;
  /** No more is read from the connection than is taken; destroying it cuts the connection. */
  readonly body: Readable;
}

/** One request whose answer is a stream. */
export class StreamExchange implements Dispatcher.DispatchHandler {
  readonly opened: Promise<OpenStream>;
  readonly #service: string;
  readonly #stallMs: number;
  #resolve!: (stream: OpenStream) => void;
  #reject!: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #given: Error | null = null;
  #status = 0;
  readonly #refusal = new GatheredBytes(REFUSAL_BYTES);
  #body: Readable | null = null;
  #ended = false;
  #stall: NodeJS.Timeout | undefined;

  /** `stallMs`: the answer breaks when it is wanted and nothing of it comes for so long. */
  constructor(service: string, stallMs: number) {
    this.#service = service;
    this.#stallMs = stallMs;
    this.opened = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends it from outside, whether its answer has begun or not. */
  giveUp(error: Error): void {
    if (this.#given !== null || this.#ended) return;
    this.#given = error;
    const unsent = this.#controller === null && error instanceof AttemptFailed;
    this.#reject(unsent ? new AttemptFailed('unreached', error.message, error) : error);
    this.#body?.destroy(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#given !== null) controller.abort(this.#given);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    if (status !== 200) return;
    this.#body = new Readable({
      read: () => this.#flow(controller),
      destroy: (error, done) => {
        this.#close(error);
        done(error);
      },
    });
    // Until its reader listens, an early end of it must not end the process.
    this.#body.on('error', () => undefined);
    this.#resolve({ headers, body: this.#body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body === null) {
      if (this.#refusal.size + chunk.length <= REFUSAL_BYTES) this.#refusal.add(chunk);
      return;
    }
    this.#stall?.refresh();
    if (this.#body.push(chunk)) return;
    controller.pause();
    clearTimeout(this.#stall);
    this.#stall = undefined;
  }

  onResponseEnd(): void {
    this.#ended = true;
    clearTimeout(this.#stall);
    if (this.#body !== null) this.#body.push(null);
    else this.#reject(errorOfAnswer(this.#service, this.#status, this.#refusal.bytes()));
  }

  onResponseError(_: unknown, error: Error): void {
    this.#ended = true;
    this.#reject(new AttemptFailed(this.#controller === null ? 'unreached' : 'broken', reasonOf(error), error));
    this.#body?.destroy(error);
  }

  #flow(controller: Dispatcher.DispatchController): void {
    this.#stall ??= setTimeout(() => {
      this.giveUp(new Error(`no byte of the ${this.#service} service came for ${this.#stallMs} ms`));
    }, this.#stallMs);
    if (controller.paused) controller.resume();
  }

  #close(error: Error | null): void {
    clearTimeout(this.#stall);
    if (this.#ended) return;
    this.#ended = true;
    this.#controller?.abort(error ?? new Error('its reader wants no more of it'));
  }
}
