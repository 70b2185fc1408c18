import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyShare } from '@heddle/platform-http/body-budget';
import type { BodyBudget } from '@heddle/platform-http/body-budget';
import { BodyFaultError } from '@heddle/platform-http/body-fault';
import type { BodyFault } from '@heddle/platform-http/body-fault';
import { collectBody } from '@heddle/platform-http/collect-body';
import { empty, type HttpAnswer } from './answer.js';

/** The engine's own limit of a request's body. */
export const MAX_BODY_BYTES = 100 * 1024 * 1024;

const STATUSES: Readonly<Record<BodyFault, number>> = {
  too_large: 413,
  no_room: 503,
  finely_cut: 400,
  late: 408,
  broken: 400,
};

/** A refusal decided below the route. */
export class Refused extends Error {
  constructor(readonly answer: HttpAnswer) {
    super(`answered ${answer.status}`);
  }
}

/** One request being answered. */
export class Call {
  private readonly share: BodyShare;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly url: URL,
    bodies: BodyBudget,
  ) {
    this.share = new BodyShare(bodies);
    if (response.destroyed) this.share.end();
    response.once('close', () => this.share.end());
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get query(): URLSearchParams {
    return this.url.searchParams;
  }

  header(name: string): string | null {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : null;
  }

  /** Runs the work that answers the call. The body counts until it settles, even if the client is gone. */
  async carryOut<T>(work: () => T | Promise<T>): Promise<T> {
    return await this.share.holdWhile(work);
  }

  /**
   * The whole body; 413 beyond the server's limit, as the engine answers; 503 if the process holds too many body bytes.
   */
  async body(): Promise<Buffer> {
    try {
      return await collectBody(this.request, { bodyBytes: MAX_BODY_BYTES, bodyTimeoutMs: null }, this.share);
    } catch (error) {
      if (!(error instanceof BodyFaultError)) throw error;
      // The rest stays unread, so the connection cannot be reused.
      this.response.setHeader('connection', 'close');
      throw new Refused(empty(STATUSES[error.fault]));
    }
  }

  /** The body as a JSON object; throws if the engine's own code would, which becomes a 500. */
  async jsonBody(): Promise<Readonly<Record<string, unknown>>> {
    const value: unknown = JSON.parse((await this.body()).toString('utf8'));
    if (typeof value !== 'object' || value === null) throw new TypeError('the body is not a JSON object');
    return value as Record<string, unknown>;
  }
}
