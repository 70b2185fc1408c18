import { nothingApplied, withApplied } from './applied-sequences.js';
import type { JobSubmitted, RecordedJobEvent } from './job.events.js';
import type { EndedJob, JobFacts, JobState, QueuedJob, VisibleJob } from './job.state.js';
import { advanceProgress } from './progress.js';

/** The last instant that a `Date` can hold; `toISOString` throws beyond it. */
const MAX_DATE_MS = 8.64e15;

/**
 * The state after one more event. Defined for every event and state, without checks: a recorded event has happened, and
 * the decision that produced it has already checked it.
 */
export function evolve(state: JobState, recorded: RecordedJobEvent): JobState {
  const { event, recordedAt, workerSequence } = recorded;
  if (event.type === 'JobSubmitted') return submitted(event.data, recordedAt);
  if (state.status === 'unsubmitted' || state.status === 'purged') {
    return { ...state, version: state.version + 1 };
  }

  const facts: JobFacts = { ...state.facts, version: state.facts.version + 1, updatedAt: recordedAt };
  switch (event.type) {
    case 'JobLeased': {
      const { attempt, fence, workerId, environment, maxRuntimeMs } = event.data;
      return {
        status: 'running',
        facts: { ...facts, fence, startedAt: facts.startedAt ?? recordedAt },
        lease: { workerId, environment, attempt, leasedAt: recordedAt, maxRuntimeMs },
        applied: nothingApplied,
      };
    }
    case 'LeaseLost':
      return {
        status: 'queued',
        facts: {
          ...facts,
          attemptsSpent: facts.attemptsSpent + (event.data.attemptSpent ? 1 : 0),
          progress: advanceProgress(facts.progress, event.data.progress),
        },
        queuedAt: recordedAt,
      };
    case 'OutputCommitted':
      return reported(state, { ...facts, outputs: [...facts.outputs, event.data] }, workerSequence);
    case 'NodeFinished':
    case 'LogCaptured':
      return reported(state, facts, workerSequence);
    case 'CancelRequested':
      return state.status === 'running'
        ? { ...state, status: 'canceling', facts, cancelRequestedAt: recordedAt }
        : { ...state, facts };
    case 'JobSucceeded':
      return { status: 'succeeded', ...ended(state, facts, recorded, event.data.progress) };
    case 'JobFailed':
      return {
        status: 'failed',
        ...ended(state, facts, recorded, event.data.progress),
        error: event.data.error,
      };
    case 'JobCanceled':
      return {
        status: 'canceled',
        ...ended(state, facts, recorded, event.data.progress),
        reason: event.data.reason,
      };
    case 'JobExpired':
      return { status: 'expired', ...ended(state, facts, recorded, event.data.progress) };
    case 'JobPurged':
      return { status: 'purged', version: facts.version };
  }
}

export function fold(recorded: Iterable<RecordedJobEvent>, from: JobState): JobState {
  let state = from;
  for (const one of recorded) state = evolve(state, one);
  return state;
}

function submitted(submission: JobSubmitted['data'], recordedAt: string): QueuedJob {
  return {
    status: 'queued',
    facts: {
      version: 1,
      submission,
      createdAt: recordedAt,
      expiresAt: instantAfter(recordedAt, submission.retentionMs),
      updatedAt: recordedAt,
      startedAt: null,
      fence: 0,
      attemptsSpent: 0,
      outputs: [],
      progress: null,
    },
    queuedAt: recordedAt,
  };
}

/** Never throws: a stored figure may be wrong, and the fold must still read the job. */
function instantAfter(from: string, milliseconds: number): string {
  const at = Date.parse(from) + milliseconds;
  return Number.isNaN(at) ? from : new Date(Math.min(MAX_DATE_MS, Math.max(-MAX_DATE_MS, at))).toISOString();
}

function reported(state: VisibleJob, facts: JobFacts, workerSequence: number | null): JobState {
  if (state.status !== 'running' && state.status !== 'canceling') return { ...state, facts };
  if (workerSequence === null) return { ...state, facts };
  return { ...state, facts, applied: withApplied(state.applied, workerSequence) };
}

function ended(
  state: VisibleJob,
  facts: JobFacts,
  { recordedAt }: RecordedJobEvent,
  progress: JobFacts['progress'],
): Pick<EndedJob, 'facts' | 'completedAt' | 'lease'> {
  return {
    facts: { ...facts, progress: advanceProgress(facts.progress, progress) },
    completedAt: recordedAt,
    lease: state.status === 'running' || state.status === 'canceling' ? state.lease : null,
  };
}
