import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Where the Kafka protocol has the kind of a request: behind its length. */
const KIND_AT = 4;

/** A TCP proxy for one port of 127.0.0.1 that can reset connections, and swallow requests of Kafka. */
export class CuttingProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  /** Set before the first connection. */
  target = 0;
  /** Requests of this kind (`api_key`) get no answer, nor does anything after them on their connection. */
  swallows: number | null = null;
  /** Requests swallowed so far. */
  swallowed = 0;

  constructor() {
    this.#server = createServer((incoming) => this.#join(incoming));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets every connection immediately. */
  cut(): number {
    const cut = this.#sockets.size;
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
    return cut;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(incoming: Socket): void {
    const outgoing = connect(this.target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    outgoing.pipe(incoming);
    let isSilent = false;
    // The client writes each request at once.
    incoming.on('data', (request: Buffer) => {
      if (this.swallows !== null && request.readInt16BE(KIND_AT) === this.swallows) {
        isSilent = true;
        this.swallowed++;
      }
      if (!isSilent) outgoing.write(request);
    });
    incoming.on('end', () => outgoing.end());
  }
}
