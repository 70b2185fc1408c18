import { processIdentity } from '@heddle/platform-database';
import type { ProcessStatus } from '../supervise/process-lives.js';

const ANSWERS_WITHIN_MS = 2_500;

/** The answer of a process's health port. */
export interface Health {
  readonly ready: boolean;
  readonly waitingFor: readonly string[];
  readonly degraded: readonly string[];
}

interface Readiness {
  readonly ready: boolean;
  readonly waiting_for: readonly { readonly name: string; readonly reason: string }[];
  readonly degraded: readonly { readonly name: string; readonly reason: string }[];
}

/** Null: it has no health port, or does not answer. */
export async function askHealth({ place, state }: ProcessStatus): Promise<Health | null> {
  if (place.opsPort === null || state !== 'running') return null;
  try {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    const answer = await fetch(`http://127.0.0.1:${place.opsPort}/readyz`, { signal });
    const { ready, waiting_for, degraded } = (await answer.json()) as Readiness;
    return { ready, waitingFor: waiting_for.map(reason), degraded: degraded.map(reason) };
  } catch {
    return null;
  }
}

function reason({ name, reason }: { readonly name: string; readonly reason: string }): string {
  return `${name}: ${reason}`;
}

type ShownState = Exclude<ProcessStatus['state'], 'running'> | 'ready' | 'degraded' | 'not ready' | 'no answer';

/** One word for the state of a process. A delayed launcher does not notice that one has ended. */
export function shownState(status: ProcessStatus, health: Health | null): ShownState {
  if (status.state !== 'running') return status.state;
  if (status.pid !== null && processIdentity(status.pid) === undefined) return 'restarting';
  if (status.place.opsPort === null) return 'ready';
  if (health === null) return 'no answer';
  if (!health.ready) return 'not ready';
  return health.degraded.length > 0 ? 'degraded' : 'ready';
}
