import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { thrownAway } from '@heddle/platform-http/thrown-away';
import type { CallFailure } from '../serve/call-failures.js';
import { BYTES_TYPE, headerJson, JSON_TYPE, STREAM_HEAD } from './byte-headers.js';
import { httpStatusOf } from './http-status.js';

/** How long a caller may go on to send after its answer before its connection is cut. */
const PATIENCE_MS = 5_000;

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

/** Resolves when the stream was sent or its caller is gone; a source that fails cuts the answer short. */
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
 * An answer before the end of its call: the rest is read and thrown away, so that the connection can be used again. A
 * caller that still sends closes it by itself, and is cut off where it does not.
 */
function endUnread(response: ServerResponse): void {
  const { req: request } = response;
  if (request.complete && request.readableEnded) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, PATIENCE_MS).unref();
  const stop = (): void => clearTimeout(timer);
  request.on('data', thrownAway(request)).once('end', stop).once('close', stop).resume();
}
