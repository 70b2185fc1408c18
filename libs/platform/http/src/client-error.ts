import type { Socket } from 'node:net';
import type { Rejection } from '@heddle/contracts-messages';
import { errorAnswer } from './envelope.js';
import { requestIdOf } from './request-id.js';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** Answers what the HTTP parser refused, on the bare socket, with the envelope that everything else gets. */
export function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = errorAnswer(rejectionOf(error));
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestIdOf(undefined),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`);
}

function rejectionOf({ code, rawPacket }: ParserError): Rejection {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const targetIsEndless = Buffer.isBuffer(rawPacket) && !rawPacket.includes('\r\n');
    return targetIsEndless
      ? { code: 'uri_too_long', message: 'The request target is over its limit.' }
      : { code: 'headers_too_large', message: 'The headers are over their limit.' };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', message: 'The request did not arrive in time.' };
  }
  return { code: 'bad_request', message: 'This is no HTTP/1.1 request that can be read.' };
}
