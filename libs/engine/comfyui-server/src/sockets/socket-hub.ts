import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { messageFrame, previewFrame, previewWithMetadataFrame, type PreviewPicture } from './frames.js';

/** Maximum connections; further ones are refused. */
const MAX_SOCKETS = 256;
/** Maximum bytes waiting for a slow client; beyond this it is disconnected. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Maximum characters of a client id; a longer one is ignored. */
const MAX_CLIENT_ID = 256;

export type SocketFrame = string | Buffer;
/** Sends frames; a test engine tampers with them here. */
export type Wire = (socket: WebSocket, frame: SocketFrame) => void;

/** Engine state that the hub needs. */
interface HubSource {
  /** Number of running and waiting prompts. */
  queueRemaining(): number;
  /** The running node, and the client of its prompt. */
  running(): { clientId: string; nodeId: string } | null;
  /** The answer to a client's feature flags. */
  features(): object;
}

/**
 * The WebSockets by client id. A prompt's messages go only to its client, `status` to all; a second connection with the
 * same id replaces the first (engine.md 2).
 */
export class SocketHub {
  private readonly current = new Map<string, WebSocket>();
  private readonly all = new Set<WebSocket>();
  private readonly wantsMetadata = new WeakSet<WebSocket>();
  private readonly logReaders = new Set<WebSocket>();

  constructor(
    private readonly source: HubSource,
    private readonly wire: Wire = (socket, frame) => socket.send(frame),
  ) {}

  /** Takes over a connection; false if there are too many. */
  accept(socket: WebSocket, clientId: string | null): boolean {
    if (this.all.size >= MAX_SOCKETS) return false;
    const known = clientId !== null && clientId !== '' && clientId.length <= MAX_CLIENT_ID;
    const sid = known ? clientId : randomUUID().replaceAll('-', '');
    this.all.add(socket);
    this.current.set(sid, socket);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.all.delete(socket);
      this.logReaders.delete(socket);
      if (this.current.get(sid) === socket) this.current.delete(sid);
    });
    this.awaitFlags(socket);
    this.send(socket, messageFrame('status', { ...this.status(), sid }));
    const running = this.source.running();
    if (running !== null && running.clientId === sid) {
      this.send(socket, messageFrame('executing', { node: running.nodeId }));
    }
    return true;
  }

  /** Sends to the client with this id, or to all if it is null. */
  sendTo(clientId: string | null, frame: SocketFrame): void {
    if (clientId === null) {
      for (const socket of this.current.values()) this.send(socket, frame);
      return;
    }
    const socket = this.current.get(clientId);
    if (socket !== undefined) this.send(socket, frame);
  }

  sendPreview(clientId: string | null, picture: PreviewPicture): void {
    for (const [id, socket] of this.current) {
      if (clientId !== null && id !== clientId) continue;
      const frame = this.wantsMetadata.has(socket) ? previewWithMetadataFrame(picture) : previewFrame(picture);
      this.send(socket, frame);
    }
  }

  /** The log goes to this client's connection, until it closes; ignored for a client without one. */
  subscribeToLog(clientId: string, enabled: boolean): void {
    const socket = this.current.get(clientId);
    if (socket === undefined) return;
    if (enabled) this.logReaders.add(socket);
    else this.logReaders.delete(socket);
  }

  get isLogRead(): boolean {
    return this.logReaders.size > 0;
  }

  sendLog(text: string): void {
    const entries = [{ t: new Date().toISOString(), m: text }];
    const frame = messageFrame('logs', { entries, size: { cols: 80, rows: 24 } });
    for (const socket of this.logReaders) this.send(socket, frame);
  }

  /** The queue has changed. */
  sendStatus(): void {
    this.sendTo(null, messageFrame('status', this.status()));
  }

  get sockets(): ReadonlySet<WebSocket> {
    return this.all;
  }

  /** Closes every connection at once. */
  terminate(): void {
    for (const socket of this.all) socket.terminate();
  }

  private status(): object {
    return { status: { exec_info: { queue_remaining: this.source.queueRemaining() } } };
  }

  /** Only the first JSON message is read, and only for feature flags. */
  private awaitFlags(socket: WebSocket): void {
    const read = (data: unknown, binary: boolean): void => {
      const message = binary ? null : objectOf(String(data));
      if (message === null) return;
      socket.off('message', read);
      if (message['type'] !== 'feature_flags') return;
      const flags: unknown = message['data'];
      if (typeof flags === 'object' && flags !== null && 'supports_preview_metadata' in flags) {
        if (flags.supports_preview_metadata === true) this.wantsMetadata.add(socket);
      }
      this.send(socket, messageFrame('feature_flags', this.source.features()));
    };
    socket.on('message', read);
  }

  private send(socket: WebSocket, frame: SocketFrame): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
    else this.wire(socket, frame);
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
