import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';

const LOCK_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** lock_not_available (lock time-out) and deadlock_detected: the same work may be retried. */
const HELD_BY_OTHERS = new Set(['55P03', '40P01']);

/** A step did not get its locks in time. Unfinished work was rolled back; `migrate` may be run again. */
class StepBlockedError extends Error {
  override readonly name = 'StepBlockedError';
  constructor(what: string, cause: unknown) {
    super(
      `${what} did not get a lock within ${LOCK_TIMEOUT_MS / 1000} s: a long transaction holds the table. ` +
        'End it (pg_stat_activity shows the oldest xact_start), then run "heddle migrate" again; steps before it are applied.',
      { cause },
    );
  }
}

/** Retries work that failed on locks of others, with pauses that let the sessions queued behind it continue. */
export async function patiently<T>(what: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!HELD_BY_OTHERS.has((error as { code?: string }).code ?? '')) throw error;
      if (performance.now() > giveUpAt) throw new StepBlockedError(what, error);
      await delay(backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS));
    }
  }
}
