import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { MAX_HEAD_BYTES } from '../bytes/byte-headers.js';
import type { RenewableTls } from '../call-tls.js';
import { Http2Diversion } from './divert-http2.js';
import type { Http2Taker } from './divert-http2.js';
import { renewedOn } from './renewed-server.js';

interface CallsPortOptions {
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** Null: plain connections */
  readonly tls?: RenewableTls | null;
  /** Limits the connections, and chooses which are closed. */
  readonly connections: ConnectionGuard;
  /** Time-out of the head of a call, from the connection or from its first byte */
  readonly headMs: number;
  /** Serves HTTP/2 connections: gRPC. Null: the port takes HTTP/1.1 alone. */
  readonly http2: Http2Taker | null;
  /** Serves HTTP/1.1 requests. */
  readonly http1: RequestListener;
}

/** Statuses by the error code of Node's parser; 400 for all others. */
const UNREADABLE: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
/** Interval of checks for late heads */
const HEAD_CHECK_INTERVAL_MS = 1_000;
/** Longer than the callers' idle time-out, so that no connection closes under a call that was just sent. */
const KEEP_ALIVE_MS = 75_000;
/** Time-out of an HTTP/1.1 connection without traffic */
const SILENCE_MS = 120_000;

/** A port for calls of other services: gRPC over HTTP/2, byte routes over HTTP/1.1. */
export class CallsPort {
  readonly #server: Server;
  readonly #diversion: Http2Diversion | null;

  constructor(private readonly options: CallsPortOptions) {
    const { connections, headMs, http2 } = options;
    this.#server = this.#create();
    const late = { ms: headMs, count: () => connections.count('head_late') };
    this.#diversion = http2 === null ? null : new Http2Diversion(this.#server, http2, late);
    connections.watch(this.#server);
    this.#server.setTimeout(SILENCE_MS, (socket) => socket.destroy());
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') connections.count('head_late');
      // Inside a started answer, these lines would be read as a part of it.
      const answering: unknown = Reflect.get(socket, '_httpMessage');
      const begun =
        typeof answering === 'object' && answering !== null && Reflect.get(answering, 'headersSent') === true;
      if (socket.writable && !begun)
        socket.write(`HTTP/1.1 ${UNREADABLE[error.code ?? ''] ?? 400} Refused\r\nconnection: close\r\n\r\n`);
      socket.destroy();
    });
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
  }

  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    const scheme = this.options.tls ? 'https' : 'http';
    return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Accepts no more connections. When `served` resolves, closes all of them. */
  async close(served: Promise<unknown>): Promise<void> {
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    await served;
    this.#server.closeAllConnections();
    this.#diversion?.close();
    // Also ends the timer of the HTTP server.
    this.#server.close(() => undefined);
    await closed;
  }

  #create(): Server {
    const { tls, headMs, http1, http2 } = this.options;
    const http: ServerOptions = {
      maxHeaderSize: MAX_HEAD_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Deadlines and the idle time-out bound a request. Without a request time-out, Node sets none for the head
      // either.
      requestTimeout: 0,
      headersTimeout: headMs,
      connectionsCheckingInterval: HEAD_CHECK_INTERVAL_MS,
      keepAlive: true,
      noDelay: true,
    };
    if (!tls) return createServer(http, http1);
    const { key, cert, ca } = tls.current;
    const ALPNProtocols = [...(http2 === null ? [] : ['h2']), 'http/1.1'];
    const secured = {
      key,
      cert,
      ca,
      handshakeTimeout: headMs,
      requestCert: ca !== undefined,
      rejectUnauthorized: true,
    };
    const server = createTlsServer({ ...http, ...secured, ALPNProtocols }, http1);
    server.once('close', renewedOn(server, tls));
    return server;
  }
}
