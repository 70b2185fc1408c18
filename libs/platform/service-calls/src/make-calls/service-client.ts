import type { Readable } from 'node:stream';
import { currentCallContext } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { CallTls } from '../call-tls.js';
import { ALIVE_PATH } from '../serve-calls/alive-route.js';
import { BUNDLE_TYPE, BYTES_TYPE, DEADLINE, headerJson, JSON_TYPE, PARTS_TYPE } from '../wire/call-headers.js';
import { REQUEST_ID, STREAM_HEAD, TRACEPARENT } from '../wire/call-headers.js';
import { encodeParts } from '../wire/parcel.js';
import type { ReceivedParcel } from '../wire/parcel.js';
import type { AnyCall, DownloadCall, PlainCall, UploadCall } from './call-kinds.js';
import { GatheredCalls } from './gathered-calls.js';
import { AttemptFailed, CallRefusedError } from './call-errors.js';
import type { CallTarget, TargetOptions } from './call-target.js';
import { ParcelExchange } from './parcel-exchange.js';
import { openStream, readHead } from './open-stream.js';
import { RelayedBody } from '../bytes/relayed-body.js';
import { repeatAttempts } from './repeat-attempts.js';
import { WatchedCalls } from '../call/watched-calls.js';
import type { MadeCall } from '../call/watched-calls.js';
import { TargetList } from './target-list.js';

export interface ServiceClientOptions {
  /** Name of the called service, for errors. */
  readonly service: string;
  /** One URL per process, or one URL whose name has several addresses. */
  readonly targets: readonly string[];
  /** The token of this process; asked for with each call, so that it can be renewed. */
  token(): string;
  /** For https addresses: `ca` that signs the service's certificate, `key` and `cert` where it asks for ours. */
  readonly tls?: CallTls | null;
  readonly tracer?: Tracer | null;
  /** Told when a call is over; of a stream, when its answer began. */
  observe?(call: MadeCall): void;
  readonly connections?: number;
  readonly streams?: number;
  readonly connectMs?: number;
  readonly ejectMs?: number;
}

const DEFAULTS: TargetOptions = { connections: 64, streams: 1_024, connectMs: 2_000, tls: null, ejectMs: 500 };
const DEADLINE_MS = 10_000;
const STALL_MS = 60_000;
const ANSWER_BYTES = 64 * 1024 * 1024;

/** Calls one other service. */
export class ServiceClient {
  readonly service: string;
  readonly #targets: TargetList;
  readonly #gathered: GatheredCalls;
  readonly #token: () => string;
  readonly #watched: WatchedCalls;

  constructor({ service, targets, token, tracer, observe, ...options }: ServiceClientOptions) {
    this.service = service;
    this.#token = token;
    this.#watched = new WatchedCalls(tracer ?? null, observe ?? null);
    this.#targets = new TargetList(service, targets, { ...DEFAULTS, ...options, tls: options.tls ?? null });
    this.#gathered = new GatheredCalls({
      service,
      alone: (call) => this.#call(call),
      bundled: (call) => this.#call(call, BUNDLE_TYPE),
    });
  }

  /** A parcel out, a parcel back. */
  async call(call: PlainCall): Promise<ReceivedParcel> {
    return await this.#watched.watch(
      call.path,
      async () => await (call.gather === true ? this.#gathered.call(call) : this.#call(call)),
    );
  }

  /**
   * Sends a body as it comes. The answer may come before its end: then the source is left alone, paused. Throws a
   * SourceBrokenError when the source broke off. Another target is tried while nothing was taken from the source.
   */
  async upload(call: UploadCall): Promise<ReceivedParcel> {
    return await this.#watched.watch(call.path, async () => await this.#upload(call));
  }

  /** The answer's head, and its bytes as a stream of which no more is read than is taken. */
  async download(call: DownloadCall): Promise<{ readonly head: unknown; readonly body: Readable }> {
    return await this.#watched.watch(call.path, async () => await this.#download(call));
  }

  async #call(call: PlainCall, partsType = PARTS_TYPE): Promise<ReceivedParcel> {
    const [type, body] =
      call.bytes === undefined
        ? [JSON_TYPE, Buffer.from(JSON.stringify(call.head) ?? 'null')]
        : [partsType, encodeParts(call)];
    const attempt = async (target: CallTarget, limitMs: number): Promise<ReceivedParcel> => {
      const exchange = new ParcelExchange(this.service, call.answerBytes ?? ANSWER_BYTES);
      const timer = setTimeout(() => {
        exchange.giveUp(new AttemptFailed('late', `no answer of ${target.origin} in ${Math.round(limitMs)} ms`));
      }, limitMs);
      const headers = this.#headers(limitMs, type);
      target.plain.dispatch({ method: 'POST', path: call.path, headers, body }, exchange);
      return await exchange.answer.finally(() => clearTimeout(timer));
    };
    if (call.at !== undefined) return await attempt(call.at, call.deadlineMs ?? DEADLINE_MS);
    return await repeatAttempts(this.#targets, this.#plan(call, call.repeatable), attempt);
  }

  async #upload(call: UploadCall): Promise<ReceivedParcel> {
    const stallMs = call.stallMs ?? STALL_MS;
    return await repeatAttempts(this.#targets, this.#plan(call, false), async (target, limitMs) => {
      const exchange = new ParcelExchange(this.service, ANSWER_BYTES);
      const body = new RelayedBody(call.body);
      const late = new AttemptFailed('late', `no answer of ${target.origin} in ${Math.round(limitMs)} ms`);
      const timer = setTimeout(() => exchange.giveUp(late), limitMs);
      const watch = setInterval(() => {
        if (body.stalledSince === null || performance.now() - body.stalledSince < stallMs) return;
        exchange.giveUp(
          new AttemptFailed('broken', `${target.origin} neither took bytes nor answered for ${stallMs} ms`),
        );
      }, stallMs / 4);
      // Heard before the connection is cut for it, and more to the point than that.
      body.on('error', (error) => exchange.giveUp(error));
      const headers = [...this.#headers(limitMs, BYTES_TYPE), STREAM_HEAD, headerJson(call.head)];
      target.streams.dispatch({ method: 'POST', path: call.path, headers, body }, exchange);
      try {
        return await exchange.answer;
      } catch (error) {
        if (error instanceof AttemptFailed && error.kind !== 'unreached' && body.begun) {
          throw new AttemptFailed('broken', error.message, error);
        }
        throw error;
      } finally {
        clearTimeout(timer);
        clearInterval(watch);
        body.destroy();
      }
    });
  }

  async #download(call: DownloadCall): Promise<{ readonly head: unknown; readonly body: Readable }> {
    return await repeatAttempts(this.#targets, this.#plan(call, true), async (target, limitMs) => {
      const headers = this.#headers(limitMs, JSON_TYPE);
      const { stallMs = STALL_MS } = call;
      const request = { ...call, headers, limitMs, stallMs, service: this.service };
      const stream = await openStream(target, request);
      return { head: readHead(stream), body: stream.body };
    });
  }

  /** For readiness: null while a process of the service answers and believes this one, else why not. */
  async probe(deadlineMs: number): Promise<string | null> {
    try {
      await this.#call({ path: ALIVE_PATH, head: null, repeatable: true, deadlineMs });
      return null;
    } catch (error) {
      // An older version of the service does not know the question, which is answer enough.
      if (error instanceof CallRefusedError && error.status === 404) return null;
      return error instanceof Error ? error.message : String(error);
    }
  }

  async close(): Promise<void> {
    await this.#targets.close();
  }

  #plan({ deadlineMs = DEADLINE_MS }: AnyCall, repeatable: boolean) {
    const deadlineAt = performance.now() + deadlineMs;
    return { service: this.service, deadlineAt, repeatable };
  }

  #headers(limitMs: number, contentType: string): string[] {
    const headers = ['authorization', `Bearer ${this.#token()}`, 'content-type', contentType];
    headers.push(DEADLINE, String(Math.ceil(limitMs)));
    const context = currentCallContext();
    if (context === null) return headers;
    headers.push(REQUEST_ID, context.requestId);
    if (context.traceparent !== null) headers.push(TRACEPARENT, context.traceparent);
    return headers;
  }
}
