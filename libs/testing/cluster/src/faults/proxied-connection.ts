import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkFault } from './network-fault.js';

const HOST = '127.0.0.1';
const SLICE = 16 * 1024;

export interface Way {
  readonly target: number;
  readonly fault: NetworkFault | null;
  /** Resolves when the fault changes. */
  readonly changed: Promise<void>;
  /** In [0, 1). */
  random(): number;
}

/**
 * One client's connection and its counterpart to the server. One piece of data at a time is in flight in each
 * direction, and no more is read meanwhile, so that a slow link holds little memory.
 */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #way: () => Way;
  #server: Socket | null = null;
  #isHalfOpen = false;

  constructor(client: Socket, way: () => Way) {
    this.#client = client;
    this.#way = way;
    client.on('error', () => this.end());
    client.once('close', () => this.end());
    this.#begin();
  }

  /** Resets both ends immediately. */
  cut(): void {
    for (const socket of [this.#client, this.#server]) socket?.resetAndDestroy();
  }

  end(): void {
    this.#client.destroy();
    this.#server?.destroy();
  }

  /** Called with each new fault. */
  met(fault: NetworkFault | null): void {
    if (fault?.kind === 'half-open') this.#loseServer();
    else if (this.#isHalfOpen) this.#client.resetAndDestroy();
    else if (fault?.kind === 'reply' && this.#server !== null) this.cut();
  }

  #begin(): void {
    const { fault, target } = this.#way();
    if (fault?.kind === 'refuse') return void this.#client.resetAndDestroy();
    if (fault?.kind === 'reply') return void this.#client.once('data', () => this.#client.end(fault.bytes)).resume();
    if (fault?.kind === 'half-open') return this.#loseServer();
    const server = connect({ port: target, host: HOST, noDelay: true, allowHalfOpen: true });
    this.#server = server;
    server.on('error', () => this.#lost(server)).once('close', () => this.#lost(server));
    this.#carry(this.#client, server, false);
    this.#carry(server, this.#client, true);
  }

  #loseServer(): void {
    this.#isHalfOpen = true;
    const server = this.#server;
    this.#server = null;
    server?.resetAndDestroy();
    // Data from the client is read and discarded.
    this.#client.removeAllListeners('data').removeAllListeners('end').resume();
  }

  #lost(server: Socket): void {
    if (this.#server === server) this.end();
  }

  #carry(from: Socket, to: Socket, isAnswer: boolean): void {
    let way = Promise.resolve();
    from.on('data', (piece: Buffer) => {
      from.pause();
      way = this.#pass(piece, to, isAnswer).then(
        () => void from.resume(),
        () => this.end(),
      );
    });
    from.on('end', () => void way.then(() => this.#open()).then(() => to.end()));
  }

  async #pass(piece: Buffer, to: Socket, isAnswer: boolean): Promise<void> {
    await this.#open();
    const { fault, random } = this.#way();
    if (fault?.kind === 'reset-answer' && isAnswer && random() < fault.chance) return this.cut();
    if (fault?.kind === 'latency') await delay(fault.ms);
    if (fault?.kind !== 'bandwidth') return await written(to, piece);
    for (let at = 0; at < piece.length; at += SLICE) {
      const slice = piece.subarray(at, at + SLICE);
      await delay((slice.length / fault.bytesPerSecond) * 1000);
      await written(to, slice);
    }
  }

  /** Resolves when the link is not a black hole. */
  async #open(): Promise<void> {
    for (let way = this.#way(); way.fault?.kind === 'black-hole'; way = this.#way()) await way.changed;
  }
}

async function written(to: Socket, piece: Buffer): Promise<void> {
  if (to.destroyed || to.write(piece)) return;
  await new Promise<void>((done) => {
    const over = (): void => {
      to.off('drain', over).off('close', over);
      done();
    };
    to.on('drain', over).on('close', over);
  });
}
