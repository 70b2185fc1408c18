import type { Socket } from 'node:net';
import type { RenderContext } from '../render-wire/render-context.js';
import { HEARTBEAT } from './frames.js';

/** What a stream that fell behind still has to be told: slots, not a queue. */
export interface Behind {
  status: boolean;
  progress: boolean;
  preview: boolean;
}

/** Above this many unsent bytes a stream is behind: nothing is queued for it any more. */
const MOST_UNSENT = 64 * 1024;

/**
 * One client's open connection: its socket, how many outputs it has been told of, and, while its reader stalls, which
 * kinds of news wait. Its memory does not depend on how much happens.
 */
export class EventStream {
  outputsSent = 0;
  readonly behind: Behind = { status: false, progress: false, preview: false };
  #behindSince: number | null = null;
  #ended = false;

  constructor(
    readonly socket: Socket,
    /** Links in frames follow the address that this client used. */
    readonly context: RenderContext,
  ) {}

  get isBehind(): boolean {
    return this.#behindSince !== null;
  }

  get isOver(): boolean {
    return this.#ended || this.socket.destroyed;
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes);
    if (this.#behindSince === null && this.socket.writableLength > MOST_UNSENT) this.#behindSince = performance.now();
  }

  /** The reader took everything: it may be told what is new. */
  caughtUp(): void {
    this.#behindSince = null;
  }

  /** A comment now and then proves that the connection lives; a reader that is behind has enough unread. */
  heartbeat(): void {
    if (!this.isBehind && !this.#ended) this.socket.write(HEARTBEAT);
  }

  stalledFor(now: number): number {
    return this.#behindSince === null ? 0 : now - this.#behindSince;
  }

  end(): void {
    this.#ended = true;
    this.socket.end();
  }
}
