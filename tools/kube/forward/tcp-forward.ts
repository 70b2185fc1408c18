import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Passes every connection to an address on to another one. It lives in this process. */
export class TcpForward {
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(to: Endpoint) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (from) => {
      const onward = connect({ ...to, allowHalfOpen: true, noDelay: true });
      for (const [one, other] of [
        [from, onward],
        [onward, from],
      ] as const) {
        this.#open.add(one);
        one.pipe(other);
        // A side that is cut off ends the other one in the same way.
        one.on('error', () => other.resetAndDestroy()).once('close', () => this.#open.delete(one));
      }
    });
  }

  static async start(at: Endpoint, to: Endpoint): Promise<TcpForward> {
    const forward = new TcpForward(to);
    forward.#server.listen(at.port, at.host);
    await once(forward.#server, 'listening');
    return forward;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}
