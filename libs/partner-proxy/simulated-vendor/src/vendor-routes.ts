import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallbackSender } from './callback-sender.js';
import type { VendorProtocol } from './protocol.js';
import { BodyReader } from './read-body.js';
import { factsOf, taskIdOf } from './task-id.js';
import { stateAt } from './task-life.js';

const RETRY_AFTER_S = 7;
const REFUSED = { too_large: 413, busy: 503, no_json: 400 } as const;

/** Answers as both vendors do. */
export class VendorRoutes {
  readonly #bodies = new BodyReader();

  constructor(
    private readonly protocols: readonly VendorProtocol[],
    private readonly callbacks: CallbackSender,
  ) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0]!;
    const protocol = this.protocols.find(({ createPath, taskIn }) => path === createPath || taskIn(path) !== null);
    if (protocol === undefined) return send(response, 404, { message: 'no such path' });
    const [header, expected] = protocol.credential;
    const given = request.headers[header];
    // Real vendors were seen to repeat a credential in their errors, and this one does so on purpose.
    if (!isSame(given, expected))
      return send(response, 401, protocol.error(401, `invalid credential ${String(given)}`));
    const id = protocol.taskIn(path);
    if (request.method === 'GET' && id !== null) return this.#status(protocol, id, response);
    if (request.method === 'POST' && id === null) return await this.#create(protocol, request, response);
    send(response, 405, protocol.error(405, 'method not allowed'));
  }

  #status(protocol: VendorProtocol, id: string, response: ServerResponse): void {
    const facts = factsOf(id);
    if (facts?.kind !== protocol.kind) return send(response, 404, protocol.error(404, `no task ${id}`));
    send(response, 200, protocol.status(id, stateAt(facts, Date.now())));
  }

  async #create(protocol: VendorProtocol, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await this.#bodies.read(request);
    if (typeof body === 'string') return send(response, REFUSED[body], protocol.error(REFUSED[body], body));
    const call = protocol.readCreate(body);
    if (call.problem !== null) return send(response, 400, protocol.error(400, call.problem));
    const { fault } = call;
    const [, credential] = protocol.credential;
    if (fault === 'hang') return;
    if (fault === '401') return send(response, 401, protocol.error(401, `credential ${credential} is suspended`));
    if (fault === '429') {
      response.setHeader('retry-after', RETRY_AFTER_S);
      return send(response, 429, protocol.error(429, 'too many requests'));
    }
    if (fault === '500') {
      response.writeHead(500, { 'content-type': 'text/html' }).end(`<html>error for ${credential}</html>`);
      return;
    }
    const facts = { createdAt: Date.now(), kind: protocol.kind, fault };
    const id = taskIdOf(facts);
    if (call.callbackUrl !== null) this.callbacks.follow(protocol, id, call.callbackUrl);
    send(response, 200, protocol.created(id, call, facts));
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function isSame(given: string | readonly string[] | undefined, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(expected));
}
