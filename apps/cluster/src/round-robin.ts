import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

const CONNECT_WITHIN_MS = 1_000;

/** Passes each connection to the next port that accepts it, so that several gateways share one address. */
export class RoundRobin {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  constructor(private readonly ports: readonly number[]) {
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => this.#accept(client));
  }

  async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((done, fail) => {
      this.#server.once('error', fail);
      this.#server.listen(port, host, done);
    });
  }

  /** Also if it never listened. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #accept(client: Socket): void {
    this.#keep(client);
    const first = this.#turn++;
    const attempt = (tried: number): void => {
      if (tried === this.ports.length) return void client.destroy();
      const port = this.ports[(first + tried) % this.ports.length]!;
      const target = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
      this.#keep(target);
      target.setTimeout(CONNECT_WITHIN_MS, () => target.destroy(new Error('too slow')));
      const next = (): void => attempt(tried + 1);
      target.once('error', next);
      target.once('connect', () => {
        target.setTimeout(0).off('error', next);
        client.pipe(target).pipe(client);
        for (const [one, other] of [
          [client, target],
          [target, client],
        ] as const) {
          one.once('error', () => other.destroy()).once('close', () => other.destroy());
        }
      });
    };
    attempt(0);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
  }
}
