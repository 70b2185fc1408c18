import type { ServerResponse } from 'node:http';
import { thrownAway } from '@heddle/platform-http/thrown-away';
import { JSON_TYPE } from '../wire/call-headers.js';

/** Why a call was not carried out. The status says whose fault it is, the code what the caller may do about it. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 500 | 503 | 504;
  readonly code: string;
  readonly message: string;
}

/** Thrown by a route that refuses its caller or what it sent. */
export class CallRefusal extends Error {
  override readonly name = 'CallRefusal';

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** How long a caller may go on to send after its answer before its connection is cut. */
const PATIENCE_MS = 5_000;

export function sendRefusal(response: ServerResponse, { status, code, message }: Refusal): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ error: { code, message } });
  if (status === 405) response.setHeader('allow', 'POST');
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
  response.end(body);
  endUnread(response);
}

/**
 * An answer before the end of its call: the rest is read and thrown away, so that the connection can be used again. A
 * caller that still sends closes it by itself, and is cut off where it does not.
 */
export function endUnread(response: ServerResponse): void {
  const { req: request } = response;
  if (request.complete && request.readableEnded) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, PATIENCE_MS).unref();
  const stop = (): void => clearTimeout(timer);
  request.on('data', thrownAway(request)).once('end', stop).once('close', stop).resume();
}
