import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { currentCallContext } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { RenewableTls } from '../call-tls.js';
import { WatchedCalls } from '../call/watched-calls.js';
import type { MadeCall } from '../call/watched-calls.js';
import { BYTES_TYPE, DEADLINE, headerJson, JSON_TYPE, REQUEST_ID, STREAM_HEAD, TRACEPARENT } from './byte-headers.js';
import { ByteTargets } from './byte-targets.js';
import { makeAttempts } from './make-attempts.js';
import { exchange, jsonOf } from './exchange-bytes.js';
import { RelayedBody } from './relayed-body.js';

export interface BytesClientOptions {
  /** Name of the called service, for errors */
  readonly service: string;
  /** One URL per process, or one URL whose name has several addresses. */
  readonly targets: readonly string[];
  /** Where the previous version serves bytes: tried while none of `targets` answers. */
  readonly formerTargets?: readonly string[];
  /** The token of this process. Read for each call, because it may be renewed. */
  token(): string;
  /** For https addresses: `ca` verifies the service; `key` and `cert` are for a service that verifies its callers. */
  readonly tls?: RenewableTls | null;
  readonly tracer?: Tracer | null;
  /** Called when a call ends; for a download, when its answer begins. */
  observe?(call: MadeCall): void;
  /** Limit on concurrent transfers to one process */
  readonly streams?: number;
}

interface ByteCall {
  readonly path: string;
  /** Any JSON */
  readonly head: unknown;
  /** Milliseconds until the answer must be complete; for downloads, until it must begin. */
  readonly deadlineMs?: number;
  /** Maximum milliseconds without progress: no byte accepted, no answer, no byte sent. */
  readonly stallMs?: number;
}

const STREAMS = 1_024;
const DEADLINE_MS = 10_000;
const STALL_MS = 60_000;

/** Uploads bytes to another service and downloads bytes from it, streamed over HTTP/1.1. */
export class BytesClient {
  readonly service: string;
  readonly #targets: ByteTargets;
  readonly #token: () => string;
  readonly #watched: WatchedCalls;

  constructor({ service, targets, formerTargets = [], token, tracer, observe, ...options }: BytesClientOptions) {
    this.service = service;
    this.#token = token;
    this.#watched = new WatchedCalls(tracer ?? null, observe ?? null);
    const { tls = null, streams = STREAMS } = options;
    this.#targets = new ByteTargets(service, targets, formerTargets, { tls, streams });
  }

  /**
   * Streams a body, and resolves with the JSON of the answer. If the answer comes before the end of the body, the source stays
   * paused. Throws SourceBrokenError if the source breaks off. Retries at another process until the source is read.
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

  /** Resolves with the answer's head and a stream of its bytes, which is read on demand. */
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
