import type { Server, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { BodyShare } from './body-budget.js';
import type { BodyBudget } from './body-budget.js';
import type { BodyFault } from './body-fault.js';
import { boundPipelining } from './bound-pipelining.js';
import { StalledReaders } from './stalled-readers.js';

export interface ConnectionLimits {
  /** At once; a further one is closed at once. */
  readonly connections: number;
  /** Of these, those on which nobody has shown who they are; a further one takes the place of the oldest. */
  readonly unauthenticated: number;
  /** A connection whose reader takes nothing of what waits for it for so long is cut. */
  readonly stalledMs: number;
}

export const CONNECTION_DEFAULTS: ConnectionLimits = {
  connections: 20_000,
  unauthenticated: 2_000,
  stalledMs: 30_000,
};

/** For the head of a request to arrive, where no setting says. */
export const HEAD_DEFAULT_MS = 10_000;

/**
 * Why a connection, or the body on it, was not served on; a label of a metric. `connections`, `unauthenticated`: too many.
 * `head_late`: the head of a request did not come in time. `stalled`: nobody reads. `pipelined`: too many requests
 * were sent before their answers. `body_…`: see BodyFault.
 */
export type NetworkRefusal =
  'connections' | 'unauthenticated' | 'head_late' | 'stalled' | 'pipelined' | `body_${BodyFault}`;

/** The other end of a connection, as a socket has it. */
export type PeerAddress = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** The connections of one port: how many there may be, and which are cut. */
export class ConnectionGuard {
  readonly #limits: ConnectionLimits;
  readonly #refused: (why: NetworkRefusal) => void;
  /** By the other side's address: over TLS a request comes on another object than the connection. */
  readonly #unauthenticated = new Map<string, Socket>();
  readonly #readers: StalledReaders;
  #open = 0;

  constructor(limits: ConnectionLimits, refused: (why: NetworkRefusal) => void = () => undefined) {
    this.#limits = limits;
    this.#refused = refused;
    this.#readers = new StalledReaders(limits.stalledMs, (socket) => {
      refused('stalled');
      socket.destroy();
    });
  }

  get open(): number {
    return this.#open;
  }

  /** Before the server listens. */
  watch(server: Server): void {
    server.maxConnections = this.#limits.connections;
    server.on('drop', () => this.#refused('connections'));
    server.on('connection', (socket: Socket) => this.#take(socket));
    const carries = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(carries, (socket: Socket) => this.#readers.watch(socket));
    boundPipelining(server, () => this.#refused('pipelined'));
    server.once('close', () => this.#readers.stop());
  }

  /** Whoever is at the other end has shown who they are. */
  authenticated(peer: PeerAddress): void {
    this.#unauthenticated.delete(peerOf(peer));
  }

  /** Whether this connection still has to show it. */
  isUnauthenticated(peer: PeerAddress): boolean {
    return this.#unauthenticated.has(peerOf(peer));
  }

  /** Counts what was refused elsewhere. */
  count(why: NetworkRefusal): void {
    this.#refused(why);
  }

  /** What one request has of a budget; a body that is refused is counted. */
  shareOf(budget: BodyBudget): BodyShare {
    return new BodyShare(budget, (fault) => this.#refused(`body_${fault}`));
  }

  #take(socket: Socket): void {
    const peer = peerOf(socket);
    this.#open += 1;
    this.#unauthenticated.set(peer, socket);
    socket.once('close', () => {
      this.#open -= 1;
      if (this.#unauthenticated.get(peer) === socket) this.#unauthenticated.delete(peer);
    });
    if (this.#unauthenticated.size <= this.#limits.unauthenticated) return;
    const [oldest, cut] = this.#unauthenticated.entries().next().value!;
    this.#unauthenticated.delete(oldest);
    this.#refused('unauthenticated');
    cut.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: PeerAddress): string {
  return `${remoteAddress} ${remotePort}`;
}
