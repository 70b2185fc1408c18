import type { ServerResponse } from 'node:http';
import { jsonText, type Answerable } from './json-text.js';

/** A route's answer; a null body has length 0. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

export function json(value: Answerable, status = 200): HttpAnswer {
  return { status, headers: { 'content-type': JSON_TYPE }, body: jsonText(value) };
}

/** An answer of ready JSON text. */
export function jsonOf(text: string): HttpAnswer {
  return { status: 200, headers: { 'content-type': JSON_TYPE }, body: text };
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { 'content-type': TEXT_TYPE, ...headers }, body };
}

/** Most refusals of the engine have no body. */
export function empty(status: number): HttpAnswer {
  return { status, body: null };
}

/** The engine's answer if its own code raised (engine.md 1). */
export function serverError(): HttpAnswer {
  return text(500, '500 Internal Server Error\n\nServer got itself in trouble');
}

/** Unknown path: the engine looks for a file of its web pages and finds none. */
export function notFound(): HttpAnswer {
  return { status: 404, headers: { 'content-type': 'application/octet-stream' }, body: null };
}

export function methodNotAllowed(allow: string): HttpAnswer {
  return text(405, '405: Method Not Allowed', { allow });
}

/** Sends a complete answer; a HEAD request gets only the headers. */
export function send(response: ServerResponse, { status, headers, body }: HttpAnswer, bodyless: boolean): void {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  response.writeHead(status, { ...headers, 'content-length': bytes?.byteLength ?? 0 });
  response.end(bodyless || bytes === null ? undefined : bytes);
}
