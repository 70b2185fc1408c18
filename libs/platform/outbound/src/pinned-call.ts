import type { LookupAddress } from 'node:dns';
import { request as plainRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { INTERNET, resolveTarget } from './resolve-target.js';
import type { Network } from './resolve-target.js';
import { targetUrl } from './target-url.js';
import type { TargetRules } from './target-url.js';

/** A call to a URL that somebody else wrote. */
interface PinnedCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Of the answer's body: the rest is not read. */
  readonly maxBytes: number;
}

interface PinnedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Every address of the host is checked, and the connection goes to an address that was checked: a name that changes in between
 * leads nowhere. A redirect is an answer like any other. Throws `TargetRefusedError` before any connection is made, another
 * error when no answer came.
 */
export async function pinnedCall(
  call: PinnedCall,
  rules: TargetRules,
  network: Network = INTERNET,
): Promise<PinnedAnswer> {
  const url = targetUrl(call.url, rules);
  const signal = AbortSignal.timeout(call.timeoutMs);
  const addresses = await untilAborted(resolveTarget(url, rules, network, signal), signal);
  return await send(url, call, { signal, lookup: pinTo(addresses), ca: network.ca });
}

/** Not every look-up can be canceled: then its result is dropped. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** In the place of a look-up. Node.js asks for all addresses, and tries the next one when one does not answer. */
function pinTo(addresses: readonly LookupAddress[]): RequestOptions['lookup'] {
  return (_host, { all }, done) => {
    const { address, family } = addresses[0]!;
    if (all === true) done(null, [...addresses]);
    else done(null, address, family);
  };
}

function send(
  url: URL,
  { method, headers, body, maxBytes }: PinnedCall,
  options: Pick<RequestOptions, 'signal' | 'lookup'> & { readonly ca: string | undefined },
): Promise<PinnedAnswer> {
  const request = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    // Without an agent no connection is kept: another call of the same host is checked and pinned by itself.
    const sent = request(url, { ...options, method, headers: { ...headers, ...length }, agent: false }, (answer) => {
      readBounded(answer, maxBytes)
        .then((bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }), reject)
        .finally(() => sent.destroy());
    });
    // Node.js calls a 101 an upgrade, and would neither answer nor end.
    sent.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.alloc(0) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function readBounded(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => resolve(Buffer.concat(chunks).subarray(0, maxBytes));
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) end();
    });
    answer.on('end', end);
    answer.on('error', reject);
  });
}
