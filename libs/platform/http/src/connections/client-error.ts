import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import type { HttpApi } from '../apis/http-api.js';
import { requestPlace, targetPlace } from '../apis/mount-api.js';
import type { RefusalPlace } from '../apis/mount-api.js';
import { requestIdOf } from '../requests/request-id.js';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

/** A request line without an end in the bytes read. */
const ENDLESS_TARGET = /^[A-Z]{3,16} [^\r\n]*$/;
/**
 * How long a refused connection may keep sending, so that the client reads the refusal before the connection closes.
 */
const PATIENCE_MS = 2_000;

/** A request line, also one that the parser refuses; its target names the API. */
const REQUEST_LINE = /^[^\s:]+ +(\/\S*|https?:\/\/\S+)/gim;

/** Answers what the HTTP parser refused, on the raw socket, in the form of the API to which it was sent. */
export function answerClientError(server: Server, api: HttpApi, error: ParserError, socket: Duplex): void {
  const answering: unknown = Reflect.get(socket, '_httpMessage');
  const begun = typeof answering === 'object' && answering !== null && Reflect.get(answering, 'headersSent') === true;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  endWith(refusalPlaceOf(server, api, error, socket), socket, rejectionOf(error));
}

/** CONNECT is a separate event in Node and would be closed without an answer. */
export function refuseConnect(api: HttpApi, server: Server): void {
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const rejection = refuse('method_not_allowed', { case: 'connect' });
    endWith(targetPlace(server, api, url), socket, rejection, { allow: 'GET, HEAD, POST' });
  });
}

/** What Node.js knows of the bytes that it reads. */
interface Parser {
  readonly incoming: IncomingMessage | null;
  /** Target of a head of many lines, before its end. */
  readonly _url: string;
}

/** Where that was sent which the parser refused. */
function refusalPlaceOf(server: Server, own: HttpApi, error: ParserError, socket: Duplex): RefusalPlace {
  const parser = Reflect.get(socket, 'parser') as Parser | null | undefined;
  // A request whose head was read and whose body was not.
  if (parser?.incoming?.complete === false) return requestPlace(own, parser.incoming);
  return targetPlace(server, own, parser?._url || targetIn(error));
}

/** The target of a head; "" if its line came with an earlier packet. */
function targetIn({ rawPacket, bytesParsed }: ParserError): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  // The last line up to the fault, and to its end: requests that were answered may stand before it.
  const end = rawPacket.indexOf('\n', bytesParsed ?? 0);
  const read = rawPacket.toString('latin1', 0, end < 0 ? rawPacket.length : end);
  return [...read.matchAll(REQUEST_LINE)].at(-1)?.[1] ?? '';
}

function endWith(
  { api, target }: RefusalPlace,
  socket: Duplex,
  rejection: Rejection,
  more: Readonly<Record<string, string>> = {},
): void {
  const { status, headers, body } = api.answer(rejection, target);
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
