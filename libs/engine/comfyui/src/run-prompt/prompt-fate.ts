import type { EngineOutcome } from '@heddle/engine-port';
import { callError } from '../calls/call-error.js';
import type { EngineCalls } from '../calls/engine-calls.js';
import type { EngineTiming } from '../engine-options.js';
import type { EngineQueue } from './engine-queue.js';
import { engineFailure } from './execution-failure.js';
import { readHistory } from './read-history.js';
import type { PromptHistoryEntry } from './read-history.js';

/** How a run was settled: by the engine's history, or without one. */
type Settled = { readonly kind: 'history'; readonly entry: PromptHistoryEntry } | EngineOutcome;

const LOOKS = 2;
const URGENT_MS = 250;

/**
 * Finds out how a prompt ended. The history is authoritative; the socket says when to read it. A missing prompt is lost
 * only at the second poll, because an engine may briefly show it in neither queue nor history.
 */
export class PromptFate {
  readonly settled: Promise<Settled>;
  /** Resolves when the run was canceled for good although the prompt has ended. */
  readonly stopped: Promise<void>;
  readonly #calls: EngineCalls;
  readonly #timing: EngineTiming;
  readonly #hurry: () => void;
  #resolve: (settled: Settled) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #stop: () => void = () => undefined;
  #isSettled = false;
  #reported: 'success' | 'error' | 'interrupted' | 'over' | null = null;
  #heardAll = true;
  #canceled = false;
  #reading = false;
  #absentSince: number | null = null;
  #looks = 0;
  #giveUp: NodeJS.Timeout | undefined;

  constructor(calls: EngineCalls, timing: EngineTiming, hurry: () => void) {
    this.#calls = calls;
    this.#timing = timing;
    this.#hurry = hurry;
    this.settled = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may reject before anyone awaits it.
    this.settled.catch(() => undefined);
    this.stopped = new Promise((resolve) => (this.#stop = resolve));
  }

  /** True if no socket message of this prompt was missed. */
  get heardAll(): boolean {
    return this.#heardAll;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Milliseconds until the next queue poll; null if not urgent. */
  get nextLookMs(): number | null {
    if (this.#reported !== null || this.#absentSince !== null) return URGENT_MS;
    return this.#canceled ? this.#timing.blindPollMs : null;
  }

  settle(settled: Settled): void {
    this.#isSettled = true;
    this.#resolve(settled);
  }

  fail(error: unknown): void {
    this.#isSettled = true;
    this.#reject(error);
    this.#stop();
  }

  close(): void {
    this.#isSettled = true;
    clearTimeout(this.#giveUp);
  }

  missedSomething(): void {
    this.#heardAll = false;
  }

  /** The engine reported the end; its history follows. */
  ending(how: 'success' | 'error' | 'interrupted'): void {
    this.#reported = how;
    this.#hurry();
  }

  /**
   * The run was canceled: a missing prompt counts as stopped, and after a while the engine is no longer waited for.
   */
  canceled(abandon: () => void): void {
    this.#canceled = true;
    this.#stop();
    this.#giveUp = setTimeout(() => {
      abandon();
      this.settle({ kind: 'interrupted' });
    }, this.#timing.cancelMs);
    this.#hurry();
  }

  /** The engine reports that the prompt has ended: its history is available now or very soon. */
  over(promptId: string): void {
    if (this.#isSettled || this.#reading) return;
    this.#reading = true;
    this.#reported ??= 'over';
    void this.#readHistory(promptId).finally(() => {
      this.#reading = false;
      if (!this.#isSettled) this.#hurry();
    });
  }

  async queueSeen(queue: EngineQueue, promptId: string): Promise<void> {
    if (this.#isSettled) return;
    if (queue.running.has(promptId) || queue.pending.has(promptId)) {
      this.#absentSince = null;
      this.#looks = 0;
      return;
    }
    if (this.#absentSince === null && this.#heardAll && this.#reported !== 'over' && !this.#canceled) {
      // Its last messages may be in flight, and take precedence.
      this.#absentSince = performance.now();
      return;
    }
    const answer = await this.#readHistory(promptId);
    if (answer !== 'absent' || this.#isSettled) return;
    if (this.#canceled) return this.settle({ kind: 'interrupted' });
    this.#absentSince ??= performance.now();
    this.#looks += 1;
    if (this.#looks >= LOOKS && performance.now() - this.#absentSince >= this.#timing.vanishedMs) this.#vanished();
  }

  /** The prompt is gone; the end reported by the socket counts if no message can have been missed. */
  #vanished(): void {
    if (this.#heardAll && this.#reported === 'success') return this.settle({ kind: 'succeeded' });
    if (this.#heardAll && this.#reported === 'interrupted') return this.settle({ kind: 'interrupted' });
    this.settle({
      kind: 'lost',
      reason: 'the engine no longer knows the prompt; it was restarted or its queue was cleared',
    });
  }

  async #readHistory(promptId: string): Promise<'found' | 'absent' | 'unknown'> {
    try {
      const entry = await readHistory(this.#calls, promptId);
      if (entry === null) return 'absent';
      this.settle({ kind: 'history', entry });
      return 'found';
    } catch (error) {
      const { failure, message } = callError(error, 'GET /history');
      if (failure === 'too_large' && !this.#isSettled) this.#tooLarge(message);
      return 'unknown';
    }
  }

  /** The history cannot be read: rely on the socket's report. */
  #tooLarge(message: string): void {
    if (this.#heardAll && this.#reported === 'success') this.settle({ kind: 'succeeded' });
    else this.settle(engineFailure(message));
  }
}
