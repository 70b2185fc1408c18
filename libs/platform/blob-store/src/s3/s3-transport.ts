import { AsyncLocalStorage } from 'node:async_hooks';
import * as http from 'node:http';
import * as https from 'node:https';
import { BlobStoreUnavailableError } from '../blob-store.js';

type Transport = Pick<typeof http, 'request'>;

const endOfCall = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs one call of the client and closes its connection after `deadlineMs` or when `signal` aborts. A stream that the
 * call returns is no longer watched here.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  signal: AbortSignal | null,
  call: () => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const late = (): void =>
    ending.abort(new BlobStoreUnavailableError(`the S3 store did not answer within ${deadlineMs} ms`));
  const timer = setTimeout(late, deadlineMs);
  const given = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', given, { once: true });
  if (signal?.aborted === true) given();
  try {
    return await endOfCall.run(ending.signal, call);
  } catch (error) {
    // The client reports a closed connection; the caller needs the reason why it was closed.
    throw ending.signal.aborted ? (ending.signal.reason as unknown) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', given);
  }
}

/** The store answered "try again later". */
export class S3BusyError extends Error {
  constructor(readonly status: number) {
    super(`the S3 store answered ${status}`);
    this.name = 'S3BusyError';
  }
}

/**
 * HTTP transport for the client. It adds an abort, and an error for answers of an overloaded store (the client would
 * retry those itself, write to the console and leave the connection with an unread answer).
 */
export function s3Transport(secure: boolean): Transport {
  const { request } = secure ? https : http;
  const send = (
    options: http.RequestOptions,
    onResponse?: (response: http.IncomingMessage) => void,
  ): http.ClientRequest => {
    const sent = request({ ...options, signal: endOfCall.getStore() });
    return sent.once('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status < 500 && status !== 429 && status !== 408) return onResponse?.(response);
      sent.emit('error', new S3BusyError(status));
      sent.on('error', ignore).destroy();
    });
  };
  return { request: send as Transport['request'] };
}

function ignore(): void {
  // The answer is known; errors while the connection closes do not matter.
}
