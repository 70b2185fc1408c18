import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import type { HttpApi } from './http-api.js';
import { requestIdOf } from './request-id.js';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** A request line without an end in the bytes read. */
const ENDLESS_TARGET = /^[A-Z]{3,16} [^\r\n]*$/;
/**
 * How long a refused connection may keep sending, so that the client reads the refusal before the connection closes.
 */
const PATIENCE_MS = 2_000;

/** Answers what the HTTP parser refused, on the raw socket, with the usual error envelope. */
export function answerClientError(api: HttpApi, error: ParserError, socket: Duplex): void {
  const answering: unknown = Reflect.get(socket, '_httpMessage');
  const begun = typeof answering === 'object' && answering !== null && Reflect.get(answering, 'headersSent') === true;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  endWith(api, socket, rejectionOf(error));
}

/** CONNECT is a separate event in Node and would be closed without an answer. */
export function refuseConnect(api: HttpApi, server: Server): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    endWith(api, socket, refuse('method_not_allowed', { case: 'connect' }), { allow: 'GET, HEAD, POST' });
  });
}

function endWith(
  api: HttpApi,
  socket: Duplex,
  rejection: Rejection,
  more: Readonly<Record<string, string>> = {},
): void {
  const { status, headers, body } = api.answer(rejection, '');
  const lines = Object.entries({
    ...headers,
    ...more,
    'x-request-id': requestIdOf(undefined),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`);
  // Closing with unread bytes would reset the connection and lose the answer: drain them.
  const cut = (): void => void socket.destroy();
  socket.removeAllListeners('data');
  socket.on('data', () => undefined).once('end', cut);
  if (socket.readableEnded) socket.once('finish', cut);
  const timer = setTimeout(cut, PATIENCE_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

function rejectionOf({ code, rawPacket }: ParserError): Rejection {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const targetIsEndless = Buffer.isBuffer(rawPacket) && ENDLESS_TARGET.test(rawPacket.toString('latin1'));
    return targetIsEndless
      ? refuse('uri_too_long', { case: 'endless' })
      : refuse('headers_too_large', { case: 'endless' });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('request_timeout', { case: 'request' });
  return refuse('bad_request', { case: 'not_http' });
}
