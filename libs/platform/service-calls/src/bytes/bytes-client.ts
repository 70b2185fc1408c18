import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { currentCallContext } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { CallTls } from '../call-tls.js';
import { WatchedCalls } from '../call/watched-calls.js';
import type { MadeCall } from '../call/watched-calls.js';
import { BYTES_TYPE, DEADLINE, headerJson, JSON_TYPE, REQUEST_ID, STREAM_HEAD, TRACEPARENT } from './byte-headers.js';
import { ByteTargets } from './byte-targets.js';
import { makeAttempts } from './make-attempts.js';
import { exchange, jsonOf } from './exchange-bytes.js';
import { RelayedBody } from './relayed-body.js';

export interface BytesClientOptions {
  /** Name of the called service, for errors. */
  readonly service: string;
  /** One URL per process, or one URL whose name has several addresses. */
  readonly targets: readonly string[];
  /** The token of this process; asked for with each call, so that it can be renewed. */
  token(): string;
  /** For https addresses: `ca` that signs the service's certificate, `key` and `cert` where it asks for ours. */
  readonly tls?: CallTls | null;
  readonly tracer?: Tracer | null;
  /** Told when a call is over; of a download, when its answer began. */
  observe?(call: MadeCall): void;
  /** Transfers that are under way at once to one process. */
  readonly streams?: number;
}

export interface ByteCall {
  readonly path: string;
  /** Any JSON. */
  readonly head: unknown;
  /** Milliseconds until an answer must be there; for downloads, until it begins. */
  readonly deadlineMs?: number;
  /** For so long the service may take nothing, answer nothing or send nothing of what it owes. */
  readonly stallMs?: number;
}

const STREAMS = 1_024;
const DEADLINE_MS = 10_000;
const STALL_MS = 60_000;

/** Sends bytes to another service and reads them from it, as they come, over HTTP/1.1. */
export class BytesClient {
  readonly service: string;
  readonly #targets: ByteTargets;
  readonly #token: () => string;
  readonly #watched: WatchedCalls;

  constructor({ service, targets, token, tracer, observe, ...options }: BytesClientOptions) {
    this.service = service;
    this.#token = token;
    this.#watched = new WatchedCalls(tracer ?? null, observe ?? null);
    const { tls = null, streams = STREAMS } = options;
    this.#targets = new ByteTargets(service, targets, { tls, streams });
  }

  /**
   * Sends a body as it comes, and resolves with the JSON of the answer. It may come before the end of the body: then the
   * source is left alone, paused. Throws a SourceBrokenError when the source broke off. Another process is tried while
   * nothing was taken from the source.
   */
  async upload({ body: source, ...call }: ByteCall & { readonly body: Readable }): Promise<unknown> {
    const { path, head, stallMs = STALL_MS, deadlineMs = DEADLINE_MS } = call;
    let begun = false;
    const plan = { service: this.service, deadlineMs, mayRepeat: false, mayGoOn: () => !begun };
    return await this.#watched.watch(path, async () =>
      makeAttempts(this.#targets, plan, async (target, limitMs) => {
        const body = new RelayedBody(source);
        const headers = { ...this.#headers(limitMs, BYTES_TYPE), [STREAM_HEAD]: headerJson(head) };
        try {
          const request = { service: this.service, path, headers, body, limitMs, stallMs };
          return await exchange(target, request, (answer) => jsonOf(answer.body));
        } finally {
          begun = body.begun;
          body.destroy();
        }
      }),
    );
  }

  /** The answer's head, and its bytes as a stream of which no more is read than is taken. */
  async download(call: ByteCall): Promise<{ readonly head: unknown; readonly body: Readable }> {
    const { path, head, stallMs = STALL_MS, deadlineMs = DEADLINE_MS } = call;
    const plan = { service: this.service, deadlineMs, mayRepeat: true, mayGoOn: () => true };
    return await this.#watched.watch(path, async () =>
      makeAttempts(this.#targets, plan, async (target, limitMs) => {
        const body = JSON.stringify(head) ?? 'null';
        const headers = this.#headers(limitMs, JSON_TYPE);
        const request = { service: this.service, path, headers, body, limitMs, stallMs };
        return await exchange(target, request, (answer) => ({ head: headIn(answer.headers), body: answer.body }));
      }),
    );
  }

  async close(): Promise<void> {
    await this.#targets.close();
  }

  #headers(limitMs: number, contentType: string): Record<string, string> {
    const context = currentCallContext();
    return {
      authorization: `Bearer ${this.#token()}`,
      'content-type': contentType,
      [DEADLINE]: String(Math.ceil(limitMs)),
      ...(context === null ? {} : { [REQUEST_ID]: context.requestId }),
      ...(context?.traceparent ? { [TRACEPARENT]: context.traceparent } : {}),
    };
  }
}

function headIn(headers: IncomingHttpHeaders): unknown {
  return JSON.parse(String(headers[STREAM_HEAD] ?? 'null')) as unknown;
}
