import { setTimeout as delay } from 'node:timers/promises';
import { isAway, portError } from './s3-failure.js';
import { withDeadline } from './s3-transport.js';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

interface CallLimits {
  readonly attempts: number;
  /** Per attempt. */
  readonly deadlineMs: number;
  /** Aborts the current attempt and prevents further ones. */
  readonly signal?: AbortSignal;
}

/**
 * Retries a call while the store is unreachable: a bounded number of times, with randomized backoff. `call` receives
 * the attempt number, because an earlier attempt may have been executed without an answer.
 */
export async function repeatCall<T>(limits: CallLimits, call: (attempt: number) => Promise<T>): Promise<T> {
  const signal = limits.signal ?? null;
  for (let attempt = 1; ; attempt++) {
    try {
      return await withDeadline(limits.deadlineMs, signal, () => call(attempt));
    } catch (error) {
      if (attempt >= limits.attempts || !isAway(error) || signal?.aborted === true) throw portError(error);
      const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempt - 1));
      await delay(pauseMs * (0.5 + Math.random()));
    }
  }
}
