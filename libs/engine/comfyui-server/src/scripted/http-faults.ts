import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A fault of one request. */
type HttpFault =
  /** Answers with this status and does nothing. */
  | { readonly kind: 'status'; readonly status: number; readonly body?: string; readonly contentType?: string }
  /** Does nothing and never answers. */
  | { readonly kind: 'hang' }
  /** Resets the connection and does nothing. */
  | { readonly kind: 'reset' }
  /** Executes the request after a delay. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Executes the request and never answers. */
  | { readonly kind: 'doneUnanswered' }
  /** Executes the request and resets the connection instead of answering. */
  | { readonly kind: 'doneReset' }
  /** Streams this many zero bytes; with `declared`, it sends a content length first. */
  | { readonly kind: 'zeros'; readonly bytes: number; readonly declared?: boolean; readonly contentType?: string }
  /** Declares `declared` bytes, sends `sent` of them and resets the connection. */
  | { readonly kind: 'short'; readonly declared: number; readonly sent: number; readonly contentType?: string };

export interface FaultRule {
  /** Default: any. */
  readonly method?: string;
  /** The path without query, or a pattern; a leading `/api` is ignored. */
  readonly path: string | RegExp;
  /** Number of requests to break; default: all. */
  readonly times?: number;
  readonly fault: HttpFault;
}

/** An active rule. */
export interface FaultHandle {
  /** Number of requests broken. */
  readonly hits: number;
  remove(): void;
}

interface RuleInForce {
  readonly rule: FaultRule;
  hits: number;
}

/** Zeros are sent in pieces of this size. */
const PIECE = Buffer.alloc(256 * 1024);

/** Matches requests with faults and applies them. */
export class HttpFaults {
  private rules: RuleInForce[] = [];

  add(rule: FaultRule): FaultHandle {
    const inForce: RuleInForce = { rule, hits: 0 };
    this.rules.push(inForce);
    return {
      get hits() {
        return inForce.hits;
      },
      remove: () => {
        this.rules = this.rules.filter((other) => other !== inForce);
      },
    };
  }

  clear(): void {
    this.rules = [];
  }

  /** True if the request needs no further answer. */
  async strike(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const path = (request.url ?? '/').split('?')[0]!.replace(/^\/api(?=\/(?!jobs))/, '');
    const struck = this.rules.find(({ rule, hits }) => {
      if (rule.method !== undefined && rule.method !== request.method) return false;
      if (hits >= (rule.times ?? Infinity)) return false;
      return typeof rule.path === 'string' ? rule.path === path : rule.path.test(path);
    });
    if (struck === undefined) return false;
    struck.hits += 1;
    return act(struck.rule.fault, response);
  }
}

async function act(fault: HttpFault, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, { 'content-type': fault.contentType ?? 'text/plain; charset=utf-8' });
      response.end(fault.body ?? '');
      return true;
    case 'hang':
      return true;
    case 'reset':
      response.destroy();
      return true;
    case 'slow':
      await delay(fault.ms);
      return false;
    case 'doneUnanswered':
      silence(response, () => undefined);
      return false;
    case 'doneReset':
      silence(response, () => response.destroy());
      return false;
    case 'zeros':
      await streamZeros(fault, response);
      return true;
    case 'short':
      response.writeHead(200, { 'content-type': fault.contentType ?? 'image/png', 'content-length': fault.declared });
      response.write(Buffer.alloc(fault.sent), () => response.destroy());
      return true;
  }
}

/** The answer is computed as usual and discarded. */
function silence(response: ServerResponse, atEnd: () => void): void {
  response.writeHead = () => response;
  response.write = () => true;
  response.end = () => {
    atEnd();
    return response;
  };
}

async function streamZeros(
  { bytes, declared, contentType }: Extract<HttpFault, { kind: 'zeros' }>,
  response: ServerResponse,
): Promise<void> {
  const length = declared === true ? { 'content-length': bytes } : {};
  response.writeHead(200, { 'content-type': contentType ?? 'application/octet-stream', ...length });
  const ended = new Promise<void>((done) => response.once('close', done));
  for (let left = bytes; left > 0 && !response.destroyed; left -= PIECE.length) {
    if (response.write(left < PIECE.length ? PIECE.subarray(0, left) : PIECE)) continue;
    await Promise.race([ended, new Promise<void>((done) => response.once('drain', done))]);
  }
  response.end();
}
