import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyShare } from '@heddle/platform-http/body-budget';
import type { BodyBudget } from '@heddle/platform-http/body-budget';
import { BodyFaultError, gatherBody } from '@heddle/platform-http/gather-body';
import type { BodyFault } from '@heddle/platform-http/gather-body';
import { empty, type Answer } from './answer.js';

/** The engine's own limit of a request's body. */
export const MAX_BODY_BYTES = 100 * 1024 * 1024;

const STATUSES: Readonly<Record<BodyFault, number>> = {
  too_large: 413,
  no_room: 503,
  finely_cut: 400,
  late: 408,
  broken: 400,
};

/** A refusal that a step below the route decided on. */
export class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`answered ${answer.status}`);
  }
}

/** One request while it is answered. */
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

  /** Carries out what answers the call. Its body counts until that settles, although the client may be gone. */
  async carryOut<T>(work: () => T | Promise<T>): Promise<T> {
    return await this.share.holdWhile(work);
  }

  /** The whole body; 413 beyond the limit of the server, as the engine answers, 503 where too much is held already. */
  async body(): Promise<Buffer> {
    try {
      return await gatherBody(this.request, { bodyBytes: MAX_BODY_BYTES, bodyTimeoutMs: null }, this.share);
    } catch (error) {
      if (!(error instanceof BodyFaultError)) throw error;
      // The rest is not read, so the connection cannot be used again.
      this.response.setHeader('connection', 'close');
      throw new Refused(empty(STATUSES[error.fault]));
    }
  }

  /** The body as JSON object; what the engine's own code would trip over is thrown, and becomes its 500. */
  async jsonBody(): Promise<Readonly<Record<string, unknown>>> {
    const value: unknown = JSON.parse((await this.body()).toString('utf8'));
    if (typeof value !== 'object' || value === null) throw new TypeError('the body is no JSON object');
    return value as Record<string, unknown>;
  }
}
