import { Agent, request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from './answer.js';

const ANSWER_WITHIN_MS = 60_000;
// With its own time-out the agent respects the server's keep-alive time, and does not reuse a connection that is
// closing.
const agent = new Agent({ keepAlive: true, timeout: ANSWER_WITHIN_MS, maxSockets: 256, maxFreeSockets: 32 });

export interface Sent {
  readonly method: string;
  /** Request target, sent unchanged: no normalisation of dots or escapes. */
  readonly target: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A stream is sent chunked unless `content-length` is given. */
  readonly body?: string | Uint8Array | Readable | AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

/** A connection that had been used was closed before anything was answered. */
class ClosedConnection extends Error {}

/** Methods that may be repeated on a new connection (RFC 9110, 9.2.2). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Sends one HTTP/1.1 request and returns the complete answer. Redirects are not followed. An answer before the end of
 * the body counts (a server may refuse early); a connection that ends without an answer rejects. A safe request whose
 * connection had been used is repeated once, as browsers do: a server that stood still closes idle connections before
 * it reads from them.
 */
export async function send(origin: string, sent: Sent): Promise<Answer> {
  try {
    return await sendOnce(origin, sent);
  } catch (error) {
    if (!(error instanceof ClosedConnection) || !SAFE_METHODS.has(sent.method) || sent.body !== undefined) throw error;
    return await sendOnce(origin, sent);
  }
}

function sendOnce(origin: string, sent: Sent): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const started = performance.now();
  return new Promise((done, fail) => {
    const whole = typeof sent.body === 'string' ? Buffer.from(sent.body) : sent.body;
    const headers: OutgoingHttpHeaders = { ...sent.headers };
    const has = (name: string): boolean => Object.keys(headers).some((key) => key.toLowerCase() === name);
    const sized = whole instanceof Uint8Array;
    if (sized && !has('content-length') && !has('transfer-encoding')) headers['content-length'] = whole.byteLength;
    if (whole === undefined && sent.method === 'POST' && !has('content-length')) headers['content-length'] = 0;
    const outgoing = request({
      agent,
      hostname,
      port,
      path: sent.target,
      method: sent.method,
      headers,
      ...(sent.signal === undefined ? {} : { signal: sent.signal }),
    });
    outgoing.setTimeout(ANSWER_WITHIN_MS, () => outgoing.destroy(new Error(`no answer in ${ANSWER_WITHIN_MS} ms`)));
    let answered = false;
    outgoing.on('error', (error) => {
      if (answered) return;
      const what = `${sent.method} ${sent.target.slice(0, 120)}: ${error.message}`;
      const isClosed = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      fail(
        isClosed
          ? new ClosedConnection(`${what} on a connection that had been used`, { cause: error })
          : new Error(what, { cause: error }),
      );
    });
    outgoing.on('response', (incoming) => {
      answered = true;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () =>
        done({
          method: sent.method,
          target: sent.target,
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          rawHeaders: incoming.rawHeaders,
          bytes: Buffer.concat(chunks),
          tookMs: performance.now() - started,
        }),
      );
    });
    if (whole === undefined || whole instanceof Uint8Array) outgoing.end(whole);
    else pipeline(Readable.from(whole), outgoing).catch(() => undefined);
  });
}
