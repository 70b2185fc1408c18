import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';

/** Serves an HTTP/2 connection. */
export type Http2Taker = (connection: Socket) => void;

/** The HTTP/2 preface begins with PRI, an HTTP/1.1 call with POST. */
const PREFACE = 'P'.charCodeAt(0);
const PREFACE_SECOND = 'R'.charCodeAt(0);

/**
 * Hands HTTP/2 connections to another server, so that one port serves gRPC and HTTP/1.1. Over TLS, ALPN decides; on a plain
 * connection, its first two bytes. Create it before other listeners of the server.
 */
export class Http2Diversion {
  /** Connections whose protocol is not known yet */
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

  /** Closes the connections whose protocol is not known yet. */
  close(): void {
    for (const socket of this.#undecided) socket.destroy();
  }

  /** Reads the first bytes, and puts them back for the server of the connection. */
  #sniff(socket: Socket, http1: (socket: Socket) => void): void {
    this.#undecided.add(socket);
    const ignore = (): void => undefined;
    const remove = (): void => {
      clearTimeout(late);
      this.#undecided.delete(socket);
    };
    const cut = (): void => {
      if (!this.#undecided.has(socket)) return;
      this.late.count();
      socket.destroy();
    };
    // A busy process first reads what has arrived.
    const late = setTimeout(() => setImmediate(cut), this.late.ms);
    const look = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return;
      socket.unshift(bytes);
      if (bytes.length === 1 && bytes[0] === PREFACE) return;
      remove();
      socket.off('readable', look).off('error', ignore).off('close', remove);
      const isHttp2 = bytes[0] === PREFACE && bytes[1] === PREFACE_SECOND;
      (isHttp2 ? this.http2 : http1)(socket);
    };
    socket.on('error', ignore).on('close', remove).on('readable', look);
  }
}
