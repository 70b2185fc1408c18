import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import type { NetworkFault } from './network-fault.js';
import { ProxiedConnection } from './proxied-connection.js';

const HOST = '127.0.0.1';
const MAX_CONNECTIONS = 4096;

/**
 * A TCP proxy for one port of 127.0.0.1 that can inject one fault at a time. It is protocol-agnostic, so it works for
 * PostgreSQL, Kafka (whose brokers must advertise its port), S3 and the services' own calls.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #random: () => number;
  #fault: NetworkFault | null = null;
  #changed = Promise.withResolvers<void>();
  /** The port behind the proxy; may be set after the first connection, which is then refused, and changed later. */
  target = 0;

  /** `random` returns numbers in [0, 1), for random faults. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
      const connection = new ProxiedConnection(client, () => this.#way());
      this.#connections.add(connection);
      client.once('close', () => this.#connections.delete(connection));
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Resolves with the listening port. */
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

  /** Applies to open and new connections; `null` ends the fault. */
  set(fault: NetworkFault | null): void {
    this.#fault = fault;
    for (const connection of this.#connections) connection.met(fault);
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }

  /** Resets every open connection; returns their number. */
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
