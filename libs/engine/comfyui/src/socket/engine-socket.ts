import { WebSocket } from 'ws';
import type { EngineLimits, EngineTiming } from '../engine-options.js';

/** Receives socket messages and connection changes. */
interface SocketListener {
  opened(): void;
  closed(): void;
  text(message: string): void;
  binary(message: Buffer): void;
}

const FEATURES = JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } });
const FIRST_PAUSE_MS = 100;

/**
 * The one WebSocket to an engine. It reconnects automatically under the same client id; messages sent in between are
 * lost, so the listener reads queue and history after each `opened`.
 */
export class EngineSocket {
  readonly #url: string;
  readonly #timing: EngineTiming;
  readonly #limits: EngineLimits;
  readonly #listener: SocketListener;
  #socket: WebSocket | null = null;
  #open = false;
  #closing = false;
  #pauseMs = FIRST_PAUSE_MS;
  #retry: NodeJS.Timeout | undefined;
  #pings: NodeJS.Timeout | undefined;

  /** `clientId` identifies the receiver of a prompt's messages. */
  constructor(
    url: string,
    clientId: string,
    listener: SocketListener,
    { timing, limits }: { timing: EngineTiming; limits: EngineLimits },
  ) {
    const root = url.replace(/^http/, 'ws').replace(/\/+$/, '');
    this.#url = `${root}/ws?clientId=${encodeURIComponent(clientId)}`;
    this.#listener = listener;
    this.#timing = timing;
    this.#limits = limits;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Connects; further calls do nothing. */
  start(): void {
    if (this.#socket === null && this.#retry === undefined && !this.#closing) this.#connect();
  }

  close(): void {
    this.#closing = true;
    clearTimeout(this.#retry);
    clearInterval(this.#pings);
    this.#socket?.terminate();
  }

  #connect(): void {
    this.#retry = undefined;
    const socket = new WebSocket(this.#url, {
      handshakeTimeout: this.#timing.callMs,
      maxPayload: this.#limits.messageBytes,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    let heardAt = performance.now();
    const heard = (): void => void (heardAt = performance.now());
    socket.on('open', () => {
      // It must be the first message, or the engine ignores it.
      socket.send(FEATURES);
      heard();
      this.#open = true;
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#pings = setInterval(() => {
        if (performance.now() - heardAt > this.#timing.pingMs * 2) socket.terminate();
        else socket.ping();
      }, this.#timing.pingMs);
      this.#listener.opened();
    });
    socket.on('pong', heard);
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      heard();
      if (this.#closing) return;
      if (isBinary) this.#listener.binary(data);
      else this.#listener.text(data.toString('utf8'));
    });
    // `close` always follows and reconnects.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#ended(socket));
  }

  #ended(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    clearInterval(this.#pings);
    this.#socket = null;
    const wasOpen = this.#open;
    this.#open = false;
    if (this.#closing) return;
    this.#retry = setTimeout(() => this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, this.#timing.reconnectMs);
    if (wasOpen) this.#listener.closed();
  }
}
