import { canonicalJobEvent, endsJob, evolve, isEnded, isLeased } from '@heddle/jobs-domain';
import type {
  JobDecision,
  JobEvent,
  JobRejection,
  JobState,
  RecordedOutput,
  VisibleJob,
  VisibleStatus,
} from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import type { JobsSettings } from '../settings.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import type { CommittedJob } from './committed-job.js';

/** One decision on a job; several on the same job run in sequence and are committed together. */
export interface Step {
  readonly decide: (state: JobState) => JobDecision;
  /** The worker's sequence, if a worker reported it. */
  readonly workerSequence: number | null;
  /** Id of the request or report that caused it. */
  readonly correlation: string;
}

interface PlannedEvent {
  readonly eventId: string;
  readonly event: JobEvent;
  readonly version: number;
  readonly fence: number;
  readonly workerSequence: number | null;
  readonly ends: boolean;
  readonly status: VisibleStatus;
  readonly correlation: string;
}

/** How the job's queue row changes. */
type QueueChange = 'keep' | 'lease' | 'cancel' | 'requeue' | 'end';

export interface ChangePlan {
  readonly before: JobState;
  /** Contains a provisional time; the statement does not use its times. */
  readonly after: JobState;
  readonly events: readonly PlannedEvent[];
  /** Per step: why it changed nothing, or null. */
  readonly rejections: readonly (JobRejection | null)[];
}

/** A change of one job to be committed. */
export interface CommitItem {
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly plan: ChangePlan;
}

export function planChange(before: JobState, steps: readonly Step[], newEventId: () => string): ChangePlan {
  const events: PlannedEvent[] = [];
  let after = before;
  const rejections = steps.map(({ decide, workerSequence, correlation }) => {
    const decision = decide(after);
    if (!decision.ok) return decision.rejection;
    for (const [index, decided] of decision.events.entries()) {
      const event = canonicalJobEvent(decided);
      // The log stores a report's sequence once, with the first of its events.
      const sequence = index === 0 ? workerSequence : null;
      after = evolve(after, { event, recordedAt: provisionalInstant, workerSequence: sequence });
      const { status } = shown(after);
      const planned = { eventId: newEventId(), event, version: versionOf(after), fence: fenceOf(after), status };
      events.push({ ...planned, workerSequence: sequence, ends: endsJob(event.type), correlation });
    }
    return null;
  });
  return { before, after, events, rejections };
}

/** The same events, folded with the time at which they were recorded. */
export function foldRecorded(plan: ChangePlan, recordedAt: string): readonly JobState[] {
  let state = plan.before;
  return plan.events.map(({ event, workerSequence }) => {
    state = evolve(state, { event, recordedAt, workerSequence });
    return state;
  });
}

export function queueChangeOf({ before, after }: ChangePlan): QueueChange {
  if (isEnded(after) || after.status === 'purged') return 'end';
  if (after.status === 'queued') return isLeased(before) ? 'requeue' : 'keep';
  if (before.status === 'queued') return 'lease';
  return before.status === 'running' && after.status === 'canceling' ? 'cancel' : 'keep';
}

/** Changes of the counters of waiting and running jobs; they match the rows because the version does. */
export function queueStepOf({ before, after }: ChangePlan): { readonly waiting: number; readonly running: number } {
  return {
    waiting: Number(after.status === 'queued') - Number(before.status === 'queued'),
    running: Number(isLeased(after)) - Number(isLeased(before)),
  };
}

/** A job that was handed back can run at once; after a loss the next attempt waits, longer each time. */
export function retryDelayMs({ before, after }: ChangePlan, settings: JobsSettings): number {
  if (before.status === 'unsubmitted' || before.status === 'purged' || after.status !== 'queued') return 0;
  const spent = after.facts.attemptsSpent;
  return spent === before.facts.attemptsSpent ? 0 : settings.retryDelayMs * spent;
}

function fenceOf(state: JobState): number {
  return state.status === 'unsubmitted' || state.status === 'purged' ? 0 : state.facts.fence;
}

/** The outputs that this change adds, each with its index among the job's outputs. */
export function newOutputs({ before, after }: ChangePlan): readonly (readonly [number, RecordedOutput])[] {
  const known = shown(before).facts.outputs.length;
  return shown(after)
    .facts.outputs.slice(known)
    .map((output, index) => [known + index, output] as const);
}

/** The statements change existing, unpurged jobs; the handler sends no others. */
export function shown(state: JobState): VisibleJob {
  if (state.status === 'unsubmitted' || state.status === 'purged') {
    throw new Error(`a job that is ${state.status} cannot be changed by this statement`);
  }
  return state;
}

const provisionalInstant = '1970-01-01T00:00:00.000Z';

/** The result of a committed plan, folded with the time at which it was recorded. */
export function committedJob(
  { jobId, accountId, deploymentId }: Pick<CommittedJob, 'jobId' | 'accountId' | 'deploymentId'>,
  plan: ChangePlan,
  recordedAt: string,
): CommittedJob {
  const states = foldRecorded(plan, recordedAt);
  const events = plan.events.map(({ eventId, event, version, fence, workerSequence, status }, at) => {
    return { eventId, event, version, fence, workerSequence, recordedAt, status, state: states[at]! };
  });
  return { jobId, accountId, deploymentId, before: plan.before, after: states.at(-1) ?? plan.before, events };
}
