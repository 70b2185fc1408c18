import {
  captureLog,
  commitOutput,
  endOverrun,
  expireWaiting,
  finishNode,
  giveUpOnCancel,
  isEnded,
  leaseJob,
  loseLease,
  reportOutcome,
  requestCancel,
} from '@heddle/jobs-domain';
import { MAX_JOB_OUTPUTS } from '@heddle/contracts-messages';
import type { JobDecision, JobState } from '@heddle/jobs-domain';
import { outputOf, progressOf } from './open-jobs.fixture.js';

/** A random command on a job. */
export interface RandomCommand {
  readonly text: string;
  readonly decide: (state: JobState) => JobDecision;
  readonly workerSequence: number | null;
}

const node = { nodeId: '1', classType: 'X', startedAt: '', endedAt: '', cached: false };
const outcomes = [
  { kind: 'succeeded' },
  { kind: 'canceled' },
  { kind: 'lost', reason: 'crash' },
  { kind: 'failed', code: 'engine_error', message: 'x', nodeId: null, classType: null, traceback: null, nodeRun: null },
] as const;

/** A plausible command for a job in this state: mostly with its current fence, sometimes with another. */
export function randomCommand(random: () => number, state: JobState, sequence: number): RandomCommand {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const live = state.status === 'unsubmitted' || state.status === 'purged' ? 0 : state.facts.fence;
  const at = { fence: random() < 0.9 ? live : live + 1, sequence };
  const offer = { workerId: 'w', environment: 'e', revision: 0, maxRuntimeMs: 60_000, hasCredentials: random() < 0.8 };
  const own = (text: string, decide: RandomCommand['decide']): RandomCommand => ({
    text,
    decide,
    workerSequence: null,
  });
  const reported = (text: string, decide: RandomCommand['decide']): RandomCommand => {
    return { text, decide, workerSequence: sequence };
  };
  const key = `1/0/${Math.floor(random() * 4)}`;
  const progress = random() < 0.5 ? null : progressOf(random());
  const outcome = pick(outcomes);
  const reason = pick(['expired', 'engine_lost', 'handed_back'] as const);
  return pick([
    own('lease', (job) => leaseJob(job, offer)),
    own('lease', (job) => leaseJob(job, offer)),
    reported('node', (job) => finishNode(job, at, node)),
    reported('log', (job) => captureLog(job, at, { sizeBytes: 1, truncated: false })),
    reported('output', (job) => commitOutput(job, at, outputOf(key), MAX_JOB_OUTPUTS)),
    reported(outcome.kind, (job) => reportOutcome(job, { ...at, outcome, progress })),
    own('cancel', requestCancel),
    own('give up', (job) => giveUpOnCancel(job, at.fence, progress)),
    own(reason, (job) => loseLease(job, { fence: at.fence, reason, detail: null, progress, started: random() < 0.5 })),
    own('overrun', (job) => endOverrun(job, at.fence, progress)),
    own('expire', (job) => (random() < 0.3 ? expireWaiting(job) : { ok: true, events: [] })),
    // As purge.sql.ts decides it.
    own('purge', (job) => ({
      ok: true,
      events: isEnded(job) && random() < 0.2 ? [{ type: 'JobPurged', data: {} }] : [],
    })),
  ]);
}
