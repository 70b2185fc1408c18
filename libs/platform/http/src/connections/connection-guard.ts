import type { Server, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { BodyShare } from '../bodies/body-budget.js';
import type { BodyBudget } from '../bodies/body-budget.js';
import type { BodyFault } from '../bodies/body-fault.js';
import { boundPipelining } from './bound-pipelining.js';
import { StalledReaders } from './stalled-readers.js';

export interface ConnectionLimits {
  /** Maximum open connections; further ones are closed at once. */
  readonly connections: number;
  /** Maximum unauthenticated connections among them; a further one replaces the oldest. */
  readonly unauthenticated: number;
  /** A connection is closed if its reader accepts none of the waiting bytes for this long. */
  readonly stalledMs: number;
}

export const CONNECTION_DEFAULTS: ConnectionLimits = {
  connections: 20_000,
  unauthenticated: 2_000,
  stalledMs: 30_000,
};

const LEAVE_MS = 500;
const LEAVE_POLL_MS = 20;

/** Default time-out for the head of a request. */
export const HEAD_DEFAULT_MS = 10_000;

/**
 * Why a connection or its body was refused; a metric label. `connections`, `unauthenticated`: too many. `head_late`:
 * the head of a request did not arrive in time. `stalled`: the reader accepts nothing. `pipelined`: too many requests
 * were sent before their answers. `body_…`: see BodyFault.
 */
type NetworkRefusal = 'connections' | 'unauthenticated' | 'head_late' | 'stalled' | 'pipelined' | `body_${BodyFault}`;

/** Peer address of a socket. */
export type PeerAddress = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** Limits the connections of one port, and closes those that break a rule. */
export class ConnectionGuard {
  readonly #limits: ConnectionLimits;
  readonly #refused: (why: NetworkRefusal) => void;
  /** Keyed by peer address: over TLS a request carries another object than the connection. */
  readonly #unauthenticated = new Map<string, Socket>();
  readonly #readers: StalledReaders;
  #open = 0;
  #isLeaving = false;

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

  /** From a stop on: every answer closes its connection. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /**
   * Call this before the server is closed, which cuts idle connections at once: requests on their way to it would be lost.
   * Clients that are busy come within the time, and their answers send them to another process.
   */
  async leave(withinMs = LEAVE_MS): Promise<void> {
    this.#isLeaving = true;
    for (const until = performance.now() + withinMs; this.#open > 0 && performance.now() < until;)
      await new Promise((resolve) => setTimeout(resolve, LEAVE_POLL_MS));
  }

  /** Call this before the server listens. */
  watch(server: Server): void {
    server.maxConnections = this.#limits.connections;
    server.on('drop', () => this.#refused('connections'));
    server.on('connection', (socket: Socket) => this.#take(socket));
    const carries = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(carries, (socket: Socket) => this.#readers.watch(socket));
    boundPipelining(server, () => this.#refused('pipelined'));
    server.once('close', () => this.#readers.stop());
  }

  /** The peer has authenticated. */
  authenticated(peer: PeerAddress): void {
    this.#unauthenticated.delete(peerOf(peer));
  }

  /** True until the peer has authenticated. */
  isUnauthenticated(peer: PeerAddress): boolean {
    return this.#unauthenticated.has(peerOf(peer));
  }

  /** Counts a refusal made elsewhere. */
  count(why: NetworkRefusal): void {
    this.#refused(why);
  }

  /** One request's share of a budget; a refused body is counted. */
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
