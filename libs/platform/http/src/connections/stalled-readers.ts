import type { Socket } from 'node:net';
import { kernelQueues, portsOf } from './kernel-queues.js';

interface Watched {
  /** performance.now() of the first check without progress; null if nothing waits for the reader. */
  since: number | null;
  taken: number;
  queued: number;
  inKernel: string | undefined;
}

/** Checks within the stall time-out. */
const LOOKS = 4;
const MIN_LOOK_MS = 50;
/** Factor on the time-out if the system reports no queue: a slow reader must not be taken for a stalled one. */
const PATIENCE_UNTOLD = 10;

/**
 * Closes connections whose reader accepts none of the waiting bytes. Node's time-out does not help: bytes from the
 * client renew it, and a slow reader shows no progress for minutes, because the system reports room only once a third
 * of its buffer is free. So if bytes wait without progress, the system's own queue is checked as well.
 */
export class StalledReaders {
  readonly #watched = new Map<Socket, Watched>();
  readonly #stalledMs: number;
  readonly #cut: (socket: Socket) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    stalledMs: number,
    cut: (socket: Socket) => void,
    private readonly queuesNow: typeof kernelQueues = kernelQueues,
  ) {
    this.#stalledMs = stalledMs;
    this.#cut = cut;
  }

  watch(socket: Socket): void {
    this.#watched.set(socket, { since: null, taken: 0, queued: 0, inKernel: undefined });
    socket.once('close', () => this.#watched.delete(socket));
    this.#timer ??= setInterval(() => void this.#look(), Math.max(MIN_LOOK_MS, this.#stalledMs / LOOKS)).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const still = [...this.#watched].filter(([socket, watched]) => hasNotMoved(socket, watched, now));
    if (still.length === 0) return;
    const queues = await this.queuesNow();
    const patienceMs = queues === null ? this.#stalledMs * PATIENCE_UNTOLD : this.#stalledMs;
    for (const [socket, watched] of still) {
      const before = watched.inKernel;
      watched.inKernel = queues?.get(portsOf(socket.localPort, socket.remotePort));
      if (before !== undefined && before !== watched.inKernel) watched.since = now;
      else if (now - watched.since! >= patienceMs && !socket.destroyed) this.#cut(socket);
    }
  }
}

/** Records what the process itself sees; true if as many bytes wait as at the last check. */
function hasNotMoved(socket: Socket, watched: Watched, now: number): boolean {
  if (socket.writableLength === 0) {
    watched.since = null;
    return false;
  }
  const taken = socket.bytesWritten - socket.writableLength;
  const queued = queuedIn(socket);
  const moved = watched.since === null || taken !== watched.taken || queued < watched.queued;
  watched.taken = taken;
  watched.queued = queued;
  if (!moved) return true;
  watched.since = now;
  watched.inKernel = undefined;
  return false;
}

/** Bytes of the current write that the system has not accepted; Node has no public name for it. */
function queuedIn(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const size: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return typeof size === 'number' ? size : 0;
}
