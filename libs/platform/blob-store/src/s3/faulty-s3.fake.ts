import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What to do with one call on its way to the real server. */
export type Fault =
  | { readonly kind: 'busy' }
  | { readonly kind: 'silent' }
  /** The call never reaches the server. */
  | { readonly kind: 'reset' }
  /** The server executes the call, and the answer is lost. */
  | { readonly kind: 'answer lost' }
  /** The server receives only this many bytes and takes them for the whole content. */
  | { readonly kind: 'shortened'; readonly bytes: number }
  /** Only this many bytes of the answer's content are sent; then the connection is cut or goes silent. */
  | { readonly kind: 'cut' | 'stalled'; readonly bytes: number };

export interface Call {
  readonly method: string;
  readonly url: string;
  /** Number of earlier calls of the same kind. */
  readonly earlier: number;
}

/** A proxy for a real S3 server that breaks the calls for which `plan` returns a fault. */
export class FaultyS3 {
  readonly calls: Call[] = [];
  plan: (call: Call) => Fault | null = () => null;
  readonly #server: Server;
  readonly #target: URL;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer(
      (incoming, answer) => void this.#handle(incoming, answer).catch(() => answer.destroy()),
    );
  }

  static async start(target: string): Promise<FaultyS3> {
    const proxy = new FaultyS3(target);
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    const earlier = this.calls.filter((call) => call.method === method && call.url === url).length;
    const call = { method, url, earlier };
    this.calls.push(call);
    const fault = this.plan(call);
    const body = await buffer(incoming);
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'reset') return void answer.destroy();
    if (fault?.kind === 'busy') return void answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    const sent = fault?.kind === 'shortened' ? body.subarray(0, fault.bytes) : body;
    const real = await this.#forward(incoming, sent);
    if (fault?.kind === 'answer lost') return void real.resume().once('end', () => answer.destroy());
    answer.writeHead(real.statusCode ?? 500, real.headers);
    if (fault?.kind !== 'cut' && fault?.kind !== 'stalled') return void real.pipe(answer);
    const content = await buffer(real);
    answer.write(content.subarray(0, fault.bytes), () => {
      if (fault.kind === 'cut') answer.destroy();
    });
  }

  /** Forwards the original headers: the signature covers the host name that the client used. */
  #forward(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { hostname, port } = this.#target;
    const headers = { ...incoming.headers, 'content-length': String(body.length) };
    return new Promise((done, fail) => {
      request({ hostname, port, method: incoming.method, path: incoming.url, headers }, done)
        .once('error', fail)
        .end(body);
    });
  }
}
