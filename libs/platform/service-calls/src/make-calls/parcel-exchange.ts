import type { IncomingHttpHeaders } from 'node:http';
import { GatheredBytes } from '@heddle/platform-http/gathered-bytes';
import type { Dispatcher } from 'undici';
import { PARTS_TYPE } from '../wire/call-headers.js';
import { decodeJson, decodeParts } from '../wire/parcel.js';
import type { ReceivedParcel } from '../wire/parcel.js';
import { AttemptFailed, errorOfAnswer } from './call-errors.js';

/** One request and its whole answer, settled once: by the answer, the connection, the deadline or the caller. */
export class ParcelExchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<ReceivedParcel>;
  readonly #service: string;
  readonly #limitBytes: number;
  #resolve!: (message: ReceivedParcel) => void;
  #reject!: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #given: Error | null = null;
  #status = 0;
  #type: string | undefined;
  readonly #gathered: GatheredBytes;

  constructor(service: string, limitBytes: number) {
    this.#service = service;
    this.#limitBytes = limitBytes;
    this.#gathered = new GatheredBytes(limitBytes);
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends it from outside. What was not sent yet never will be. */
  giveUp(error: Error): void {
    if (this.#given !== null) return;
    this.#given = error;
    const unsent = this.#controller === null && error instanceof AttemptFailed;
    this.#reject(unsent ? new AttemptFailed('unreached', error.message, error) : error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#given !== null) controller.abort(this.#given);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#type = headers['content-type'];
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#gathered.size + chunk.length > this.#limitBytes) {
      this.giveUp(new Error(`the answer of the ${this.#service} service is over ${this.#limitBytes} bytes`));
    } else if (this.#given === null) this.#gathered.add(chunk);
  }

  onResponseEnd(): void {
    const body = this.#gathered.bytes();
    if (this.#status !== 200) {
      this.#reject(errorOfAnswer(this.#service, this.#status, body));
      return;
    }
    try {
      this.#resolve(this.#type === PARTS_TYPE ? decodeParts(body) : decodeJson(body));
    } catch (error) {
      this.#reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  onResponseError(_: unknown, error: Error): void {
    this.#reject(new AttemptFailed(this.#controller === null ? 'unreached' : 'broken', reasonOf(error), error));
  }
}

export function reasonOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
