import { backoffMs } from '@heddle/contracts-messages';
import { ServiceAwayError } from '../call/call-errors.js';
import type { ByteTarget, ByteTargets } from './byte-targets.js';

interface AttemptPlan {
  readonly service: string;
  readonly deadlineMs: number;
  /** True if the call may reach the service twice; then a slow process is given up for another one. */
  readonly mayRepeat: boolean;
  /** Called after a failed attempt: whether another attempt is safe. */
  mayGoOn(): boolean;
}

/** Extra attempts beyond one for each process */
const MORE_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;

/** Tries one process after the other until one answers, the deadline passes, or another attempt is unsafe. */
export async function makeAttempts<T>(
  targets: ByteTargets,
  { service, deadlineMs, mayRepeat, mayGoOn }: AttemptPlan,
  attempt: (target: ByteTarget, limitMs: number) => Promise<T>,
): Promise<T> {
  const deadlineAt = performance.now() + deadlineMs;
  const known = await targets.known();
  const tried = new Set<ByteTarget>();
  let failure = new ServiceAwayError(service, 'no address of it is known', false);
  for (let made = 0; made < known.length + MORE_ATTEMPTS; made += 1) {
    if (tried.size > 0 && tried.size >= known.length) {
      tried.clear();
      if (!(await pauseBefore(made, deadlineAt))) break;
    }
    const target = targets.pick(tried, mayRepeat);
    const left = deadlineAt - performance.now();
    if (target === undefined || left <= 0) break;
    tried.add(target);
    const othersLeft = mayRepeat && tried.size < known.length;
    try {
      const answer = await attempt(target, othersLeft ? left / 2 : left);
      targets.answered(target);
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceAwayError)) {
        targets.answered(target);
        throw error;
      }
      targets.failed(target);
      failure = error;
      if (!mayGoOn()) break;
    }
  }
  throw failure;
}

/** Waits a backoff with jitter. Resolves with false if the deadline leaves no time for it. */
async function pauseBefore(made: number, deadlineAt: number): Promise<boolean> {
  const longest = backoffMs(made, FIRST_PAUSE_MS, MAX_PAUSE_MS);
  const pauseMs = longest * (0.5 + Math.random() / 2);
  if (performance.now() + pauseMs >= deadlineAt) return false;
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  return true;
}
