import type { Readable } from 'node:stream';
import { CollectedBytes } from '@heddle/platform-http/collected-bytes';
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import type { EngineLimits, EngineTiming } from '../engine-options.js';
import { callError, EngineCallError } from './call-error.js';
import { parseJson } from './json-shape.js';

/** A complete answer within the limit. */
export interface EngineAnswer {
  readonly status: number;
  readonly text: string;
  /** The body as JSON; `undefined` if it is not JSON. */
  readonly json: unknown;
}

/** An answer with an unread body. */
export interface OpenEngineAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly sizeBytes: number | null;
  readonly body: Readable;
}

/** A request body: bytes, or a stream of known length. */
interface SentBody {
  readonly contentType: string;
  readonly content: Uint8Array | Readable;
  readonly sizeBytes: number;
}

/** More than any number of runs uses at once; a call that waits for a connection would make the engine look slow. */
const MAX_CONNECTIONS = 256;

/** HTTP calls to one engine: each has a deadline, answers are limited in size, redirects are not followed. */
export class EngineCalls {
  readonly #agent: Agent;
  readonly #root: string;
  readonly #timing: EngineTiming;
  readonly #limits: EngineLimits;

  constructor(url: string, timing: EngineTiming, limits: EngineLimits) {
    this.#root = url.replace(/\/+$/, '');
    this.#timing = timing;
    this.#limits = limits;
    this.#agent = new Agent({
      connections: MAX_CONNECTIONS,
      connect: { timeout: Math.min(timing.callMs, 5_000) },
      headersTimeout: timing.callMs,
      bodyTimeout: timing.transferIdleMs,
      keepAliveTimeout: 4_000,
    });
  }

  get(path: string): Promise<EngineAnswer> {
    return this.#whole('GET', path);
  }

  /** Sends a small value as JSON. */
  patch(path: string, value: object): Promise<EngineAnswer> {
    const content = Buffer.from(JSON.stringify(value));
    return this.#whole('PATCH', path, { contentType: 'application/json', content, sizeBytes: content.byteLength });
  }

  /** Sends JSON; values are serialised, bytes are sent unchanged. */
  post(path: string, body?: object | Uint8Array): Promise<EngineAnswer> {
    if (body === undefined) return this.#whole('POST', path);
    const content = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    return this.#whole('POST', path, { contentType: 'application/json', content, sizeBytes: content.byteLength });
  }

  /** Sends a stream and reads the answer; the transfer has no deadline, but must not stall. */
  async send(path: string, body: SentBody): Promise<EngineAnswer> {
    const route = routeOf('POST', path);
    try {
      const answer = await this.#request('POST', path, body, undefined);
      return await this.#read(answer, route);
    } catch (error) {
      throw callError(error, route);
    }
  }

  /** Status and length of a file, without its bytes. */
  async head(path: string): Promise<{ status: number; sizeBytes: number | null }> {
    const route = routeOf('HEAD', path);
    try {
      const answer = await this.#request('HEAD', path, undefined, AbortSignal.timeout(this.#timing.callMs));
      await answer.body.dump();
      return { status: answer.statusCode, sizeBytes: lengthOf(answer) };
    } catch (error) {
      throw callError(error, route);
    }
  }

  /** Opens an answer of any size; `signal` aborts it. The caller must read or destroy the body. */
  async open(path: string, signal: AbortSignal): Promise<OpenEngineAnswer> {
    try {
      const answer = await this.#request('GET', path, undefined, signal);
      const contentType = answer.headers['content-type'];
      // An answer that is dropped before it is read may still break.
      answer.body.on('error', () => undefined);
      return {
        status: answer.statusCode,
        contentType: typeof contentType === 'string' ? contentType : null,
        sizeBytes: lengthOf(answer),
        body: answer.body,
      };
    } catch (error) {
      throw callError(error, routeOf('GET', path));
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #whole(method: Dispatcher.HttpMethod, path: string, body?: SentBody): Promise<EngineAnswer> {
    const route = routeOf(method, path);
    try {
      const answer = await this.#request(method, path, body, AbortSignal.timeout(this.#timing.callMs));
      return await this.#read(answer, route);
    } catch (error) {
      throw callError(error, route);
    }
  }

  #request(
    method: Dispatcher.HttpMethod,
    path: string,
    body: SentBody | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = { accept: '*/*' };
    if (body !== undefined) {
      headers['content-type'] = body.contentType;
      headers['content-length'] = String(body.sizeBytes);
    }
    return request(this.#root + path, { method, headers, body: body?.content, signal, dispatcher: this.#agent });
  }

  async #read(answer: Dispatcher.ResponseData, route: string): Promise<EngineAnswer> {
    const limit = this.#limits.answerBytes;
    const tooLarge = (): EngineCallError =>
      new EngineCallError('too_large', route, `the answer is larger than ${limit} bytes`);
    if ((lengthOf(answer) ?? 0) > limit) {
      answer.body.on('error', () => undefined).destroy();
      throw tooLarge();
    }
    const received = new CollectedBytes(limit);
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      // Leaving the loop destroys the body and its connection.
      if (received.size + chunk.length > limit) throw tooLarge();
      received.add(chunk);
    }
    const text = received.bytes().toString('utf8');
    return { status: answer.statusCode, text, json: parseJson(text) };
  }
}

/** The route without its query, for messages. */
function routeOf(method: string, path: string): string {
  return `${method} ${path.split('?', 1)[0]}`;
}

function lengthOf(answer: Dispatcher.ResponseData): number | null {
  const header = answer.headers['content-length'];
  const length = typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
  return length;
}
