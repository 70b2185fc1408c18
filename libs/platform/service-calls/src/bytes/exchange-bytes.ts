import type { Readable } from 'node:stream';
import { CallFailedError, CallRefusedError, ServiceAwayError } from '../call/call-errors.js';
import { errorOf } from '../call/call-status.js';
import { AnswerExchange } from './answer-exchange.js';
import type { OpenAnswer } from './answer-exchange.js';
import type { ByteTarget } from './byte-targets.js';
import { grpcStatusOf } from './http-status.js';
import { RelayedBody, SourceBrokenError } from './relayed-body.js';

interface ByteRequest {
  readonly service: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: RelayedBody | string;
  /** Milliseconds until the answer must begin */
  readonly limitMs: number;
  /** Maximum milliseconds without progress: no byte accepted, no answer, no byte sent. */
  readonly stallMs: number;
}

/** Limit on a JSON answer */
const MAX_JSON_BYTES = 1024 * 1024;

/** Sends one request to one process. Throws the service's error, or ServiceAwayError if it does not answer. */
export async function exchange<T>(
  { origin, pool }: ByteTarget,
  request: ByteRequest,
  read: (answer: OpenAnswer) => T | Promise<T>,
): Promise<T> {
  const { service, path, headers, body, limitMs, stallMs } = request;
  const made = new AnswerExchange();
  const away = (reason: string): void => made.giveUp(new ServiceAwayError(service, reason, hasBegun(body)));
  const timers = [setTimeout(() => away(`no answer of ${origin} in ${Math.round(limitMs)} ms`), limitMs)];
  if (body instanceof RelayedBody) {
    // Reports the error of the source rather than the closed connection that follows it.
    body.on('error', (error) => made.giveUp(error));
    const look = (): void => {
      if (body.stalledSince === null || performance.now() - body.stalledSince < stallMs) return;
      away(`${origin} made no progress for ${stallMs} ms`);
    };
    timers.push(setInterval(look, stallMs / 4));
  }
  try {
    pool.dispatch({ method: 'POST', path, headers, body, bodyTimeout: stallMs }, made);
    const answer = await made.opened;
    if (answer.httpStatus !== 200) throw await errorOfAnswer(service, answer);
    return await read(answer);
  } catch (error) {
    throw errorOfExchange(request, error);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

export async function jsonOf(body: Readable): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) throw new Error(`the answer is over ${MAX_JSON_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}

interface Told {
  readonly error: { readonly code: unknown; readonly message: unknown };
}

/** The error of a failed call; if its body cannot be read, from the HTTP status alone. */
async function errorOfAnswer(service: string, { httpStatus, body }: OpenAnswer): Promise<Error> {
  const status = grpcStatusOf(httpStatus);
  try {
    const { code, message } = ((await jsonOf(body)) as Told).error;
    return errorOf(service, { status, code: httpStatus === 504 ? '' : String(code), message: String(message) });
  } catch {
    return errorOf(service, { status, code: '', message: `it answered with the status ${httpStatus}` });
  }
}

const TELLING = [ServiceAwayError, CallRefusedError, CallFailedError, SourceBrokenError];

function errorOfExchange({ service, body }: ByteRequest, error: unknown): unknown {
  if (TELLING.some((kind) => error instanceof kind)) return error;
  const { message, name } = error as Error;
  const code = String((error as NodeJS.ErrnoException).code ?? name);
  const reason = message.includes(code) ? message : `${message} (${code})`;
  return new ServiceAwayError(service, reason, hasBegun(body), error);
}

function hasBegun(body: RelayedBody | string): boolean {
  return body instanceof RelayedBody && body.begun;
}
