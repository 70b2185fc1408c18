import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { BYTES_TYPE, KEPT_TYPE, headerJson, JSON_TYPE, PARTS_TYPE, STREAM_HEAD } from '../wire/call-headers.js';
import { BEAT, encodeKept } from '../wire/parcel-stream.js';
import { encodeParts } from '../wire/parcel.js';
import type { Parcel } from '../wire/parcel.js';
import { endUnread } from './refusal.js';

export function sendParcel(response: ServerResponse, parcel: Parcel): void {
  const isJson = parcel.bytes === undefined;
  const body = isJson ? Buffer.from(JSON.stringify(parcel.head) ?? 'null') : encodeParts(parcel);
  response.writeHead(200, { 'content-type': isJson ? JSON_TYPE : PARTS_TYPE, 'content-length': body.length });
  response.end(body);
  endUnread(response);
}

/** Resolves when the stream was sent or its caller is gone; a source that fails cuts the answer short. */
export async function sendStream(response: ServerResponse, head: unknown, body: Readable | null): Promise<void> {
  response.writeHead(200, { 'content-type': BYTES_TYPE, [STREAM_HEAD]: headerJson(head) });
  if (body === null) {
    response.end();
    return;
  }
  if (response.destroyed) {
    body.destroy();
    return;
  }
  response.flushHeaders();
  await pipeline(body, response);
}

/** The sending half of an answer that is kept open. */
export class KeptAnswer {
  readonly #response: ServerResponse;
  readonly #backlogBytes: number;
  readonly #beat: NodeJS.Timeout;

  /** `beatMs` between signs of life; a caller that leaves more than `backlogBytes` unread is cut off. */
  constructor(response: ServerResponse, beatMs: number, backlogBytes: number) {
    this.#response = response;
    this.#backlogBytes = backlogBytes;
    response.writeHead(200, { 'content-type': KEPT_TYPE });
    response.write(BEAT);
    this.#beat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(BEAT);
    }, beatMs);
    response.once('close', () => clearInterval(this.#beat));
  }

  async emit(parcel: Parcel): Promise<boolean> {
    if (this.#response.destroyed || this.#response.writableEnded) return false;
    if (this.#response.writableLength > this.#backlogBytes) {
      this.#response.destroy();
      return false;
    }
    const [prefix, parts] = encodeKept(parcel);
    this.#response.write(prefix);
    return await new Promise<boolean>((resolve) => {
      const gone = (): void => resolve(false);
      this.#response.once('close', gone);
      this.#response.write(parts, (error) => {
        this.#response.off('close', gone);
        resolve(!error);
      });
    });
  }

  async end(): Promise<void> {
    clearInterval(this.#beat);
    if (this.#response.destroyed) return;
    this.#response.end();
    if (!this.#response.writableFinished) await once(this.#response, 'close');
  }
}
