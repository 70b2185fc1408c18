import { callError } from '../calls/call-error.js';
import type { EngineCallError } from '../calls/call-error.js';
import type { EngineCalls } from '../calls/engine-calls.js';
import type { EngineTiming } from '../engine-options.js';
import { readQueue } from './engine-queue.js';
import type { EngineQueue } from './engine-queue.js';

/** A run that needs to know where its prompt is. */
export interface WatchedRun {
  /** Receives the current queue; resolves once the run has evaluated it. */
  queueSeen(queue: EngineQueue): Promise<void>;
  /** Whether the engine answered the last look. */
  engineAnswered(answered: boolean): void;
  /** The engine is given up. */
  engineGone(reason: string): void;
  /** Milliseconds until its next queue poll; null if not urgent. */
  readonly nextLookMs: number | null;
}

/**
 * Polls the engine's queue for all runs together: rarely while the socket is open, more often while it is not. An
 * engine that does not answer for too long is given up.
 */
export class QueueWatch {
  readonly #calls: EngineCalls;
  readonly #timing: EngineTiming;
  readonly #hears: () => boolean;
  readonly #runs = new Set<WatchedRun>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #again = false;
  #answeredAt = 0;

  /** `hears`: true while the socket is open. */
  constructor(calls: EngineCalls, timing: EngineTiming, hears: () => boolean) {
    this.#calls = calls;
    this.#timing = timing;
    this.#hears = hears;
  }

  add(run: WatchedRun): void {
    if (this.#runs.size === 0) this.#answeredAt = performance.now();
    this.#runs.add(run);
    this.#schedule();
  }

  remove(run: WatchedRun): void {
    this.#runs.delete(run);
    if (this.#runs.size === 0) this.#stop();
  }

  /** Polls soon, because of an event. */
  lookNow(): void {
    if (this.#runs.size === 0) return;
    if (this.#looking) this.#again = true;
    else void this.#look();
  }

  /** A run became urgent: the next poll comes sooner. */
  hurry(): void {
    if (!this.#looking && this.#runs.size > 0) this.#schedule();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#stop();
    if (this.#runs.size === 0) return;
    const { pollMs, blindPollMs } = this.#timing;
    const calm = this.#hears() ? pollMs : blindPollMs;
    const soonest = Math.min(calm, ...[...this.#runs].map((run) => run.nextLookMs ?? calm));
    this.#timer = setTimeout(() => this.lookNow(), soonest);
  }

  async #look(): Promise<void> {
    this.#looking = true;
    this.#again = false;
    this.#stop();
    try {
      const queue = await readQueue(this.#calls);
      this.#answeredAt = performance.now();
      for (const run of this.#runs) run.engineAnswered(true);
      await Promise.all([...this.#runs].map((run) => run.queueSeen(queue)));
    } catch (error) {
      this.#unanswered(callError(error, 'GET /queue'));
    } finally {
      this.#looking = false;
    }
    if (this.#again) this.lookNow();
    else this.#schedule();
  }

  #unanswered(error: EngineCallError): void {
    // Any answer shows that the engine is alive; its queue is unknown, so nothing is concluded.
    if (error.failure === 'too_large' || error.failure === 'unreadable') {
      this.#answeredAt = performance.now();
      return;
    }
    const { silentMs, unreachableMs } = this.#timing;
    for (const run of this.#runs) run.engineAnswered(false);
    const patienceMs = error.failure === 'late' ? silentMs : unreachableMs;
    if (performance.now() - this.#answeredAt < patienceMs) return;
    for (const run of [...this.#runs]) run.engineGone(`the engine has not answered for a long time: ${error.message}`);
  }
}
