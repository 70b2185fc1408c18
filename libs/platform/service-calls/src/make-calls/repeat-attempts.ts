import { AttemptFailed, ServiceAwayError } from './call-errors.js';
import type { CallTarget } from './call-target.js';
import type { TargetList } from './target-list.js';

export interface AttemptPlan {
  readonly service: string;
  /** performance.now() at which the caller wants to know. */
  readonly deadlineAt: number;
  /** The call may reach the service twice. Others are repeated only when they certainly did not reach it. */
  readonly repeatable: boolean;
}

/** Attempts beside one for each target. */
const MORE_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;

/** Makes attempts on one target after the other until one is answered, time is up, or another would not be safe. */
export async function repeatAttempts<T>(
  targets: TargetList,
  plan: AttemptPlan,
  attempt: (target: CallTarget, limitMs: number) => Promise<T>,
): Promise<T> {
  await targets.ready();
  const tried = new Set<CallTarget>();
  const most = targets.all.length + MORE_ATTEMPTS;
  let failure: AttemptFailed | null = null;
  for (let made = 0; made < most; made += 1) {
    if (tried.size > 0 && tried.size >= targets.all.length) {
      tried.clear();
      if (!(await pauseBefore(made, plan))) break;
    }
    const target = targets.pick(tried, plan.repeatable);
    const left = plan.deadlineAt - performance.now();
    if (target === null || left <= 0) break;
    tried.add(target);
    const othersLeft = plan.repeatable && tried.size < targets.all.length;
    const outcome = await tryOnce(target, attempt, othersLeft ? left / 2 : left);
    if (outcome.ok) return outcome.value;
    failure = outcome.failure;
    if (failure.mayHaveActed && !plan.repeatable) break;
  }
  failure ??= new AttemptFailed('unreached', `no address of ${String(targets)} is known`);
  throw new ServiceAwayError(plan.service, failure.message, failure.mayHaveActed, failure);
}

/** Errors that are an answer of the service, or the caller's own, are thrown. */
async function tryOnce<T>(
  target: CallTarget,
  attempt: (target: CallTarget, limitMs: number) => Promise<T>,
  limitMs: number,
): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: AttemptFailed }> {
  try {
    const value = await attempt(target, limitMs);
    target.answered();
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof AttemptFailed)) {
      target.endTrial();
      throw error;
    }
    target.failed(performance.now());
    return { ok: false, failure: error };
  }
}

/** False when there is no time left for it. The pause has jitter, so that callers do not come back all at once. */
async function pauseBefore(made: number, { deadlineAt }: AttemptPlan): Promise<boolean> {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** made);
  const pauseMs = longest * (0.5 + Math.random() / 2);
  if (performance.now() + pauseMs >= deadlineAt) return false;
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  return true;
}
