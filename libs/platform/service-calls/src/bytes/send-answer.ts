import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { chunkDiscarder } from '@heddle/platform-http/chunk-discarder';
import type { CallFailure } from '../call-failure.js';
import { BYTES_TYPE, headerJson, JSON_TYPE, STREAM_HEAD } from './byte-headers.js';
import { httpStatusOf } from './http-status.js';

/** How long a caller may send after its answer before the connection is closed */
const REQUEST_END_TIMEOUT_MS = 5_000;

export function sendJson(response: ServerResponse, answer: unknown, httpStatus = 200): void {
  const body = JSON.stringify(answer) ?? 'null';
  response.writeHead(httpStatus, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
  response.end(body);
  endUnread(response);
}

export function sendFailure(response: ServerResponse, { status, code, message }: CallFailure): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else sendJson(response, { error: { code, message } }, httpStatusOf(status));
}

/** Resolves when the stream is sent or the caller is gone. A failed source truncates the answer. */
export async function sendStream(response: ServerResponse, head: unknown, body: Readable | null): Promise<void> {
  response.writeHead(200, { 'content-type': BYTES_TYPE, [STREAM_HEAD]: headerJson(head) });
  if (body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(body, response);
}

/**
 * Discards the rest of a request that is answered early, so that the connection can be reused. A caller that keeps sending
 * loses its connection after the time-out.
 */
function endUnread(response: ServerResponse): void {
  const { req: request } = response;
  if (request.complete && request.readableEnded) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, REQUEST_END_TIMEOUT_MS).unref();
  const stop = (): void => clearTimeout(timer);
  request.on('data', chunkDiscarder(request)).once('end', stop).once('close', stop).resume();
}
