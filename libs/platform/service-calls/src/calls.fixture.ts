import 'reflect-metadata';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { ByteRoute } from './bytes/byte-route.js';
import { BytesClient } from './bytes/bytes-client.js';
import type { BytesClientOptions } from './bytes/bytes-client.js';
import { ServiceChannel } from './call/service-channel.js';
import type { ServiceChannelOptions } from './call/service-channel.js';
import { issueServiceToken, newServiceKeyPair } from './identity/service-token.js';
import type { TokenRules } from './identity/token-verifier.js';
import { serveCallsPort } from './serve/serve-calls-port.js';
import type { ServeCallsOptions, ServedCalls } from './serve/serve-calls-port.js';

export const keys = newServiceKeyPair();
const AUDIENCE = 'jobs';

export async function tokenOf(service: string, deploymentId: string | null = null): Promise<string> {
  const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;
  return await issueServiceToken(keys.privateKey, { service, audience: AUDIENCE, deploymentId, expiresAt });
}

export const GATEWAY_TOKEN = await tokenOf('gateway');

/** Token rules that trust these public keys. */
export function tokensOf(publicKeys: readonly string[]): TokenRules {
  return { publicKeys, audience: AUDIENCE };
}

/** Starts servers and clients for one spec file, and closes them at its end. */
export class CallFixture {
  readonly #undo: (() => Promise<unknown>)[] = [];

  /** Starts a port that serves these byte routes. */
  async port(bytes: readonly ByteRoute[], options: Partial<ServeCallsOptions> = {}): Promise<ServedCalls> {
    const bounds = { host: '127.0.0.1', port: 0, tokens: tokensOf([keys.publicKey]), graceMs: 0 };
    const port = await serveCallsPort({ ...bounds, contexts: [], bytes, ...options });
    this.#undo.push(() => port.close());
    return port;
  }

  bytesClient(
    targets: readonly string[],
    { token = GATEWAY_TOKEN, ...options }: Partial<Omit<BytesClientOptions, 'token'>> & { token?: string } = {},
  ): BytesClient {
    const client = new BytesClient({ service: 'jobs', targets, ...options, token: () => token });
    this.#undo.push(() => client.close());
    return client;
  }

  channel(targets: readonly string[], options: Partial<ServiceChannelOptions> = {}): ServiceChannel {
    const made = { service: 'jobs', targets, token: () => GATEWAY_TOKEN, repeatable: [], ...options };
    const channel = new ServiceChannel(made);
    this.#undo.push(() => channel.close());
    return channel;
  }

  /** Starts a bare TCP server, which stands for a frozen or foreign process. */
  async socketServer(take: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      take(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#undo.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) await undo();
  }
}

export interface Signalled<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

/** A promise that a test resolves */
export function signalled<T = void>(): Signalled<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

let lastNowhere = 0;

/** An address where nothing listens: a new port each time, below the range of ephemeral ports. */
export function nowhere(): string {
  lastNowhere += 1;
  return `http://127.0.0.1:${lastNowhere}`;
}
