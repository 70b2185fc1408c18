import type { WebSocket } from 'ws';
import type { SocketFrame } from '../sockets/socket-hub.js';

/** What happens to a frame: `hold` sends it after the next frame to the same socket. */
export type FrameFate = 'send' | 'drop' | 'twice' | 'hold';

/** A JSON frame as sent, or a binary one. */
export type SentMessage = { readonly type: string; readonly data: Readonly<Record<string, unknown>> } | Buffer;

/** Frames that no client can parse. */
export const GARBAGE_FRAMES: readonly SocketFrame[] = [
  '{',
  'null',
  '[]',
  '"text"',
  '{"type": 5}',
  '{"type": "executing"}',
  '{"type": "executing", "data": null}',
  '{"type": "progress_state", "data": {"prompt_id": 1, "nodes": [1]}}',
  '{"type": "execution_error", "data": {}}',
  '{"type": "of_an_extension", "data": {"anything": [1, 2]}}',
  Buffer.alloc(0),
  Buffer.from([0, 0, 0]),
  Buffer.from([0, 0, 0, 99, 1, 2, 3, 4]),
  Buffer.from([0, 0, 0, 3, 255, 255, 255, 255, 65]),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 2, 0x7b, 0x7b]),
];

/** Tampers with outgoing frames. */
export class WireFaults {
  private fate: (message: SentMessage) => FrameFate = () => 'send';
  private readonly held = new Map<WebSocket, SocketFrame[]>();

  tamper(fate: (message: SentMessage) => FrameFate): void {
    this.fate = fate;
  }

  /** Sends everything normally again, held frames first. */
  heal(): void {
    this.fate = () => 'send';
    for (const socket of this.held.keys()) this.release(socket);
  }

  pass(socket: WebSocket, frame: SocketFrame): void {
    const fate = this.fate(typeof frame === 'string' ? (JSON.parse(frame) as SentMessage) : frame);
    if (fate === 'drop') return;
    if (fate === 'hold') {
      this.held.set(socket, [...(this.held.get(socket) ?? []), frame]);
      return;
    }
    for (let i = 0; i < (fate === 'twice' ? 2 : 1); i++) socket.send(frame);
    this.release(socket);
  }

  private release(socket: WebSocket): void {
    for (const frame of this.held.get(socket) ?? []) if (socket.readyState === socket.OPEN) socket.send(frame);
    this.held.delete(socket);
  }
}
