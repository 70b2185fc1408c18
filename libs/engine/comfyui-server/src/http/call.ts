import type { IncomingMessage, ServerResponse } from 'node:http';
import { empty, type Answer } from './answer.js';

/** A refusal that a step below the route decided on. */
export class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`answered ${answer.status}`);
  }
}

/** One request while it is answered. */
export class Call {
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly url: URL,
    private readonly maxBodyBytes: number,
  ) {}

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

  /** The whole body; 413 beyond the limit of the server, as the engine answers. */
  async body(): Promise<Buffer> {
    const tooLarge = (): Refused => {
      // The rest is not read, so the connection cannot be used again.
      this.response.setHeader('connection', 'close');
      return new Refused(empty(413));
    };
    if (Number(this.header('content-length') ?? 0) > this.maxBodyBytes) throw tooLarge();
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > this.maxBodyBytes) throw tooLarge();
      parts.push(part);
    }
    return Buffer.concat(parts, size);
  }

  /** The body as JSON object; what the engine's own code would trip over is thrown, and becomes its 500. */
  async jsonBody(): Promise<Readonly<Record<string, unknown>>> {
    const value: unknown = JSON.parse((await this.body()).toString('utf8'));
    if (typeof value !== 'object' || value === null) throw new TypeError('the body is no JSON object');
    return value as Record<string, unknown>;
  }
}
