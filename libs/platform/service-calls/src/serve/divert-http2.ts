import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';

/** Serves a connection on which HTTP/2 is spoken. */
export type Http2Taker = (connection: Socket) => void;

/** The preface of HTTP/2 begins with PRI, a call over HTTP/1.1 with POST. */
const PREFACE = 'P'.charCodeAt(0);
const PREFACE_SECOND = 'R'.charCodeAt(0);

/**
 * Hands connections that speak HTTP/2 to a server of their own, so that one port serves gRPC and HTTP/1.1: over TLS by the
 * protocol that was agreed upon, on a plain connection by its first two bytes. Before anybody else listens to the server.
 */
export class Http2Diversion {
  /** Connections that have not said what they speak. */
  readonly #undecided = new Set<Socket>();

  constructor(
    server: Server,
    private readonly http2: Http2Taker,
    private readonly late: { readonly ms: number; count(): void },
  ) {
    const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
    const takers = server.listeners(event) as ((socket: Socket) => void)[];
    server.removeAllListeners(event);
    const http1 = (socket: Socket): void => takers.forEach((taker) => taker.call(server, socket));
    if (event === 'connection') server.on(event, (socket: Socket) => this.#sniff(socket, http1));
    else server.on(event, (socket: TLSSocket) => (socket.alpnProtocol === 'h2' ? http2 : http1)(socket));
  }

  /** Cuts those that the HTTP servers do not know yet. */
  close(): void {
    for (const socket of this.#undecided) socket.destroy();
  }

  /** What was read goes back for the server that serves the connection. */
  #sniff(socket: Socket, http1: (socket: Socket) => void): void {
    this.#undecided.add(socket);
    const ignore = (): void => undefined;
    const forget = (): void => {
      clearTimeout(late);
      this.#undecided.delete(socket);
    };
    const cut = (): void => {
      if (!this.#undecided.has(socket)) return;
      this.late.count();
      socket.destroy();
    };
    // After what a busy process has not read yet.
    const late = setTimeout(() => setImmediate(cut), this.late.ms);
    const look = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return;
      socket.unshift(bytes);
      if (bytes.length === 1 && bytes[0] === PREFACE) return;
      forget();
      socket.off('readable', look).off('error', ignore).off('close', forget);
      const isHttp2 = bytes[0] === PREFACE && bytes[1] === PREFACE_SECOND;
      (isHttp2 ? this.http2 : http1)(socket);
    };
    socket.on('error', ignore).on('close', forget).on('readable', look);
  }
}
