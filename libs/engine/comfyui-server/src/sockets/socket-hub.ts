import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { messageFrame, previewFrame, previewWithMetadataFrame, type PreviewPicture } from './frames.js';

/** Connections at a time; the next one is refused. */
const MAX_SOCKETS = 256;
/** Bytes that wait for a client that does not read; a client further behind is cut off. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Longest client id in characters; a longer one is treated as none. */
const MAX_CLIENT_ID = 256;

export type Frame = string | Buffer;
/** How frames leave; a test engine tampers with them here. */
export type Wire = (socket: WebSocket, frame: Frame) => void;

/** What the hub must know of the engine. */
export interface HubSource {
  /** Prompts that run or wait. */
  queueRemaining(): number;
  /** The node that runs now and the client whose prompt it is. */
  running(): { clientId: string; nodeId: string } | null;
  /** The answer to a client's feature flags. */
  features(): object;
}

/**
 * The WebSockets by client id. The messages of a prompt go to its client alone, `status` to everybody; a second
 * connection with the same id takes the place of the first (engine.md 2).
 */
export class SocketHub {
  private readonly current = new Map<string, WebSocket>();
  private readonly all = new Set<WebSocket>();
  private readonly wantsMetadata = new WeakSet<WebSocket>();

  constructor(
    private readonly source: HubSource,
    private readonly wire: Wire = (socket, frame) => socket.send(frame),
  ) {}

  /** Takes a connection over; false where there are too many. */
  accept(socket: WebSocket, clientId: string | null): boolean {
    if (this.all.size >= MAX_SOCKETS) return false;
    const known = clientId !== null && clientId !== '' && clientId.length <= MAX_CLIENT_ID;
    const sid = known ? clientId : randomUUID().replaceAll('-', '');
    this.all.add(socket);
    this.current.set(sid, socket);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.all.delete(socket);
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

  /** To the client of that id, or to everybody where it is null. */
  tell(clientId: string | null, frame: Frame): void {
    if (clientId === null) {
      for (const socket of this.current.values()) this.send(socket, frame);
      return;
    }
    const socket = this.current.get(clientId);
    if (socket !== undefined) this.send(socket, frame);
  }

  tellPreview(clientId: string | null, picture: PreviewPicture): void {
    for (const [id, socket] of this.current) {
      if (clientId !== null && id !== clientId) continue;
      const frame = this.wantsMetadata.has(socket) ? previewWithMetadataFrame(picture) : previewFrame(picture);
      this.send(socket, frame);
    }
  }

  /** The queue has changed. */
  tellStatus(): void {
    this.tell(null, messageFrame('status', this.status()));
  }

  get sockets(): ReadonlySet<WebSocket> {
    return this.all;
  }

  /** Ends every connection at once. */
  terminate(): void {
    for (const socket of this.all) socket.terminate();
  }

  private status(): object {
    return { status: { exec_info: { queue_remaining: this.source.queueRemaining() } } };
  }

  /** Only the first message that is JSON is looked at, and only feature flags are understood. */
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

  private send(socket: WebSocket, frame: Frame): void {
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
