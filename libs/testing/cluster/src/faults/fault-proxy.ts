import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import type { NetworkFault } from './network-fault.js';
import { ProxiedConnection } from './proxied-connection.js';

const HOST = '127.0.0.1';
const MAX_CONNECTIONS = 4096;

/**
 * A TCP proxy before one port of 127.0.0.1, on which one fault at a time can be set. It knows nothing of what is said, so it stands before
 * PostgreSQL, Kafka (whose brokers must tell its port to their clients), S3 and the services' own calls alike.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #random: () => number;
  #fault: NetworkFault | null = null;
  #changed = Promise.withResolvers<void>();
  /** The port behind; may be told after the first connection came, which then is refused, and changed later. */
  target = 0;

  /** `random` gives numbers in [0, 1), for faults that happen by chance. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
      const connection = new ProxiedConnection(client, () => this.#way());
      this.#connections.add(connection);
      client.once('close', () => this.#connections.delete(connection));
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Resolves with the port on which it listens. */
  async listen(port = 0): Promise<number> {
    await new Promise<void>((done, fail) => {
      this.#server.once('error', fail);
      this.#server.listen(port, HOST, done);
    });
    return this.port;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** From now on, for open connections and new ones; `null` ends it. */
  set(fault: NetworkFault | null): void {
    this.#fault = fault;
    for (const connection of this.#connections) connection.met(fault);
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }

  /** Resets every open connection; answers how many. */
  cut(): number {
    const cut = this.#connections.size;
    for (const connection of this.#connections) connection.cut();
    return cut;
  }

  async close(): Promise<void> {
    this.set(null);
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const connection of this.#connections) connection.end();
    await closed;
  }

  #way() {
    return {
      target: this.target,
      fault: this.#fault,
      changed: this.#changed.promise,
      random: this.#random,
    };
  }
}
