import { request as plainRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Secret } from '@heddle/contracts-messages';
import type { VendorName } from '@heddle/partner-proxy-domain';
import type { ProxyLogger } from '../proxy-logger.js';
import type { ProxyMetrics } from '../proxy-metrics.js';
import { VendorBreaker } from './vendor-breaker.js';
import { VendorFaultError } from './vendor-fault.js';
import type { VendorFaultKind } from './vendor-fault.js';

/** Of a vendor's answer. */
const MAX_ANSWER_BYTES = 1_048_576;
const MAX_RETRY_AFTER_S = 3_600;
/** The vendor's doing, or that of the way to it: they count for the breaker. */
const FAILURES: readonly VendorFaultKind[] = ['unreachable', 'unanswered', 'unusable'];

interface VendorAddress {
  readonly vendor: VendorName;
  /** Without a last slash. */
  readonly url: string;
  readonly timeoutMs: number;
  /** The header that carries the key, whole. */
  readonly credential: readonly [name: string, value: Secret];
}

interface VendorCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Calls of one vendor: its key, time-out, breaker and metrics. Redirects are never followed, and no call is repeated. */
export class VendorHttp {
  readonly #breaker = new VendorBreaker();

  constructor(
    private readonly address: VendorAddress,
    private readonly metrics: ProxyMetrics,
    private readonly logger: ProxyLogger,
  ) {}

  /** What `read` finds in the JSON of a 2xx answer; null: the answer has another form. @throws VendorFaultError */
  async call<T>({ method, path, body }: VendorCall, read: (value: unknown) => T | null): Promise<T> {
    const waitMs = this.#breaker.admit();
    if (waitMs > 0) {
      this.metrics.called(this.address.vendor, 'resting');
      throw this.#fault('resting', Math.ceil(waitMs / 1_000));
    }
    const begun = performance.now();
    try {
      const value = read(this.#valueOf(await this.#send(method, path, body)));
      if (value === null) throw this.#fault('unusable');
      this.#breaker.succeeded();
      this.metrics.called(this.address.vendor, 'answered', performance.now() - begun);
      return value;
    } catch (error) {
      const fault = error instanceof VendorFaultError ? error : this.#fault('unusable');
      if (FAILURES.includes(fault.kind)) this.#breaker.failed();
      else this.#breaker.succeeded();
      this.metrics.called(this.address.vendor, fault.kind, performance.now() - begun);
      throw fault;
    }
  }

  #fault(kind: VendorFaultKind, retryAfterSeconds?: number): VendorFaultError {
    return new VendorFaultError(this.address.vendor, kind, retryAfterSeconds);
  }

  #accountRefused(status: number): VendorFaultError {
    this.logger.accountRefused(this.address.vendor, status);
    return this.#fault('account');
  }

  #valueOf({ status, retryAfter, body }: RawAnswer): unknown {
    if (status === 429) throw this.#fault('busy', secondsIn(retryAfter));
    if (status === 401 || status === 403 || status === 402) throw this.#accountRefused(status);
    if (status === 404) throw this.#fault('unknown');
    if (status >= 400 && status < 500) throw isOurs(body) ? this.#accountRefused(status) : this.#fault('refused');
    if (status < 200 || status > 299) throw this.#fault('unusable');
    const value = parsed(body);
    if (value === null) throw this.#fault('unusable');
    return value;
  }

  #send(method: string, path: string, body?: object): Promise<RawAnswer> {
    const { url, timeoutMs, credential } = this.address;
    const target = new URL(url + path);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      accept: 'application/json',
      [credential[0]]: credential[1].reveal(),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    };
    const request = target.protocol === 'https:' ? tlsRequest : plainRequest;
    return new Promise((resolve, reject) => {
      let isConnected = false;
      let late: NodeJS.Timeout | undefined;
      const end = (settle: () => void): void => {
        clearTimeout(late);
        settle();
      };
      // Without an agent: a connection that the vendor closed meanwhile would lose the answer of a paid call.
      const sent = request(target, { method, headers, agent: false }, (answer) => {
        this.#read(answer).then(
          (value) => end(() => resolve(value)),
          (error: unknown) => end(() => reject(error instanceof Error ? error : this.#fault('unanswered'))),
        );
      });
      late = setTimeout(() => sent.destroy(this.#fault(isConnected ? 'unanswered' : 'unreachable')), timeoutMs);
      // Node.js calls a 101 an upgrade, and would neither answer nor end.
      sent.on('upgrade', (_answer, socket) => {
        socket.destroy();
        end(() => reject(this.#fault('unusable')));
      });
      sent.on('socket', (socket) =>
        socket.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true)),
      );
      sent.on('error', (error) => {
        const kind = isConnected ? 'unanswered' : 'unreachable';
        end(() => reject(error instanceof VendorFaultError ? error : this.#fault(kind)));
      });
      sent.end(text);
    });
  }

  async #read(answer: IncomingMessage): Promise<RawAnswer> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) throw this.#fault('unusable');
        chunks.push(chunk);
      }
    } catch (error) {
      throw error instanceof VendorFaultError ? error : this.#fault('unanswered');
    } finally {
      answer.destroy();
    }
    const { 'retry-after': retryAfter } = answer.headers;
    return { status: answer.statusCode ?? 0, retryAfter, body: Buffer.concat(chunks).toString('utf8') };
  }
}

/** Seconds or a date; a vendor may write anything. */
function secondsIn(retryAfter: string | undefined): number {
  const given = Number(retryAfter ?? 1);
  const seconds = Number.isFinite(given) ? given : (Date.parse(retryAfter ?? '') - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_S, Math.max(1, Math.ceil(seconds))) : 1;
}

/** A 4xx about our own balance or our own limits is not the client's doing. */
function isOurs(body: string): boolean {
  return /CreditInsufficient|ModelUnavailable/.test(body.slice(0, 10_000));
}

function parsed(body: string): object | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
