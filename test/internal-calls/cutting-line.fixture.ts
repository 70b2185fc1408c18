import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** HTTP/2 data of this size carries a message: settings and acknowledgements are smaller. */
const ANSWER_BYTES = 100;

/** A proxy to a service. It cuts its first connection at the first answer; later connections pass everything. */
export class CuttingLine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cuts = 0;

  private constructor(there: () => Socket) {
    this.#server = createServer((here) => {
      const far = there();
      for (const socket of [here, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
      }
      here.pipe(far);
      far.on('data', (bytes) => {
        if (this.#cuts === 0 && bytes.length > ANSWER_BYTES) {
          this.#cuts += 1;
          here.destroy();
          far.destroy();
        } else if (!here.destroyed) {
          here.write(bytes);
        }
      });
      far.once('close', () => here.destroy());
    });
  }

  static async open(there: () => Socket): Promise<CuttingLine> {
    const line = new CuttingLine(there);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get cuts(): number {
    return this.#cuts;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
