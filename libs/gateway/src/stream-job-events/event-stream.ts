import type { RenderContext } from '../render-wire/render-context.js';
import { HEARTBEAT, stoppingComment } from './frames.js';

/** The used part of a `net.Socket`. */
export interface StreamSocket {
  readonly destroyed: boolean;
  readonly writableLength: number;
  write(bytes: Uint8Array): boolean;
  on(event: 'drain', listener: () => void): unknown;
  setTimeout(ms: number, onTimeout: () => void): unknown;
  destroySoon(): void;
  destroy(): unknown;
}

/** What a stream that fell behind must still get: slots, not a queue. */
interface Behind {
  status: boolean;
  progress: boolean;
  preview: boolean;
}

/** Above this many unsent bytes a stream is behind: nothing more is queued for it. */
const MAX_UNSENT = 64 * 1024;
const END_PATIENCE_MS = 30_000;

/**
 * One client's open connection: its socket, the number of outputs sent, and, while its reader stalls, which kinds of
 * updates are pending. Its memory does not depend on traffic.
 */
export class EventStream {
  outputsSent = 0;
  #behind: Behind | null = null;
  #behindSince = 0;
  #ended = false;

  constructor(
    readonly socket: StreamSocket,
    /** Links in frames use the address that this client used. */
    readonly context: RenderContext,
    /** Called for each frame that the reader was too slow for. */
    private readonly onSkipped: (kind: keyof Behind) => void = () => undefined,
  ) {}

  get isBehind(): boolean {
    return this.#behind !== null;
  }

  get isOver(): boolean {
    return this.#ended || this.socket.destroyed;
  }

  write(bytes: Buffer): void {
    if (this.isOver) return;
    this.socket.write(bytes);
    if (this.#behind !== null || this.socket.writableLength <= MAX_UNSENT) return;
    this.#behind = { status: false, progress: false, preview: false };
    this.#behindSince = performance.now();
  }

  /** Something of this kind happened while the reader stalls: the newest is sent once it reads again. */
  owe(kind: keyof Behind): void {
    if (this.#behind === null) return;
    // A pending one is replaced.
    if (this.#behind[kind]) this.onSkipped(kind);
    this.#behind[kind] = true;
  }

  /** The reader has caught up: returns what is pending, to be sent now. */
  caughtUp(): Behind {
    const owed = this.#behind ?? { status: false, progress: false, preview: false };
    this.#behind = null;
    return owed;
  }

  /** A periodic comment proves that the connection is alive; a reader that is behind has enough unread. */
  heartbeat(): void {
    if (!this.isBehind && !this.isOver) this.socket.write(HEARTBEAT);
  }

  stalledFor(now: number): number {
    return this.#behind === null ? 0 : now - this.#behindSince;
  }

  /** Says that the process stops and when to come back, and ends. */
  stop(): void {
    if (this.isOver) return;
    this.socket.write(stoppingComment());
    this.end();
  }

  /** Closes the connection once written bytes are sent, or when the reader accepts none of them for too long. */
  end(): void {
    if (this.isOver) return;
    this.#ended = true;
    this.socket.setTimeout(END_PATIENCE_MS, () => this.socket.destroy());
    this.socket.destroySoon();
  }
}
