// A job is one execution of a workflow. These decisions protect its lifecycle: nothing leaves a terminal status (I5),
// only legal edges are taken (I6), a stale fence changes nothing (I8), an output is committed once (I9). Diagram:
// docs/architecture/01-job-lifecycle.md.

import { alreadySo, append, reject } from '@heddle/decision';
import type { Decision } from '@heddle/decision';
import { hasApplied, wasApplied } from './applied-sequences.js';
import type {
  CancelReason,
  JobCanceled,
  JobEvent,
  JobFailed,
  JobSubmitted,
  LeaseLossReason,
  LogCaptured,
  NodeFinished,
  NodeRun,
  RecordedError,
  RecordedOutput,
  RecordedProgress,
} from './job.events.js';
import { CREDENTIALS_LOST, GAVE_UP_UNASKED, lastAttemptLost, ranTooLong, tooManyOutputs } from './job-error-texts.js';
import { isEndedStatus } from './job.state.js';
import type { EndedJob, JobState, LeasedJob } from './job.state.js';
import { completeProgress } from './progress.js';

/** Why a command changes nothing although it is not already done. */
export type JobRejection =
  'job_exists' | 'not_found' | 'not_queued' | 'other_revision' | 'not_canceling' | 'stale_fence';

export type JobDecision = Decision<JobEvent, JobRejection>;

/** A job with partner credentials has one attempt: a second run may charge twice. */
export function submitJob(state: JobState, submission: JobSubmitted['data']): JobDecision {
  if (state.status !== 'unsubmitted') return reject('job_exists');
  const maxAttempts = submission.hasCredentials ? 1 : submission.maxAttempts;
  return append({ type: 'JobSubmitted', data: { ...submission, maxAttempts } });
}

export interface LeaseOffer {
  readonly workerId: string;
  readonly environment: string;
  /** Of the worker's environment; 0 where there is none. */
  readonly revision: number;
  readonly maxRuntimeMs: number;
  /** True if this process still holds the job's partner credentials. */
  readonly hasCredentials: boolean;
}

/** Runs only on the environment that validated it. A job with credentials is never leased without them. */
export function leaseJob(state: JobState, offer: LeaseOffer): JobDecision {
  if (state.status !== 'queued') return reject(exists(state) ? 'not_queued' : 'not_found');
  const { facts } = state;
  if (facts.submission.revision !== offer.revision) return reject('other_revision');
  if (facts.submission.hasCredentials && !offer.hasCredentials) {
    return append(failed(errorOf('credential_lost', CREDENTIALS_LOST), facts.progress));
  }
  const { workerId, environment, maxRuntimeMs } = offer;
  return append({
    type: 'JobLeased',
    data: { attempt: facts.attemptsSpent + 1, fence: facts.fence + 1, workerId, environment, maxRuntimeMs },
  });
}

/** A worker's report carries the fence of its lease and a sequence number under it. */
export interface LeaseReport {
  readonly fence: number;
  readonly sequence: number;
}

/** A start adds no event: it only needs the lease. */
export function reportStart(state: JobState, report: LeaseReport): JobDecision {
  return underLease(state, report, () => alreadySo);
}

export function finishNode(state: JobState, report: LeaseReport, node: NodeFinished['data']): JobDecision {
  return underLease(state, report, () => append({ type: 'NodeFinished', data: node }));
}

/** The first commit of a key wins, also across attempts; one output more than `maxOutputs` ends the job. */
export function commitOutput(
  state: JobState,
  report: LeaseReport,
  output: RecordedOutput,
  maxOutputs: number,
): JobDecision {
  return underLease(state, report, ({ facts }) => {
    if (facts.outputs.some((known) => known.key === output.key)) return alreadySo;
    if (facts.outputs.length < maxOutputs) return append({ type: 'OutputCommitted', data: output });
    const error = errorOf('output_limit', tooManyOutputs(maxOutputs));
    return append(failed({ ...error, nodeId: output.nodeId }, facts.progress));
  });
}

export function captureLog(state: JobState, report: LeaseReport, log: LogCaptured['data']): JobDecision {
  return underLease(state, report, () => append({ type: 'LogCaptured', data: log }));
}

export type Outcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'canceled' }
  | ({ readonly kind: 'failed'; readonly nodeRun: NodeRun | null } & RecordedError)
  | { readonly kind: 'lost'; readonly reason: string };

export interface OutcomeReport extends LeaseReport {
  readonly outcome: Outcome;
  readonly progress: RecordedProgress | null;
}

/** A finish that commits before a cancel wins. */
export function reportOutcome(state: JobState, report: OutcomeReport): JobDecision {
  return underLease(state, report, (job) => {
    const { outcome, progress } = report;
    switch (outcome.kind) {
      case 'succeeded':
        return append({ type: 'JobSucceeded', data: { progress: completeProgress(progress) } });
      case 'failed': {
        const { code, message, nodeId, classType, traceback, nodeRun } = outcome;
        return append(failed({ code, message, nodeId, classType, traceback }, progress, nodeRun));
      }
      case 'canceled':
        if (job.status === 'canceling') return append(canceled('confirmed', progress));
        return endAttempt(job, engineLost(GAVE_UP_UNASKED, progress));
      case 'lost':
        return endAttempt(job, engineLost(outcome.reason, progress));
    }
  });
}

/** A queued job is canceled at once; a running one when its worker confirms. An ended job does not change. */
export function requestCancel(state: JobState): JobDecision {
  if (!exists(state)) return reject('not_found');
  if (state.status === 'queued') return append(canceled('requested', state.facts.progress));
  return state.status === 'running' ? append({ type: 'CancelRequested', data: {} }) : alreadySo;
}

/** The worker did not confirm the cancel in time. */
export function giveUpOnCancel(state: JobState, fence: number, progress: RecordedProgress | null): JobDecision {
  if (state.status !== 'canceling') return reject('not_canceling');
  if (fence !== state.facts.fence) return reject('stale_fence');
  return append(canceled('unanswered', progress));
}

/** The lease expired, the engine died, or a draining worker handed the job back. */
export function loseLease(
  state: JobState,
  loss: {
    readonly fence: number;
    readonly reason: LeaseLossReason;
    readonly detail: string | null;
    readonly progress: RecordedProgress | null;
    /** Its worker reported that it started, or it is unknown whether it did. */
    readonly started: boolean;
  },
): JobDecision {
  if (!isLeased(state) || loss.fence !== state.facts.fence) return reject('stale_fence');
  return endAttempt(state, loss);
}

/** The attempt exceeded the maximum runtime. */
export function endOverrun(state: JobState, fence: number, progress: RecordedProgress | null): JobDecision {
  if (!isLeased(state) || fence !== state.facts.fence) return reject('stale_fence');
  if (state.status === 'canceling') return append(canceled('overrun', progress));
  return append(failed(errorOf('timeout', ranTooLong(state.lease.maxRuntimeMs)), progress));
}

/** The job exceeded the maximum queue wait, or its retention. */
export function expireWaiting(state: JobState): JobDecision {
  if (state.status !== 'queued') return reject(exists(state) ? 'not_queued' : 'not_found');
  return append({ type: 'JobExpired', data: { progress: state.facts.progress } });
}

export function isLeased(state: JobState): state is LeasedJob {
  return state.status === 'running' || state.status === 'canceling';
}

export function isEnded(state: JobState): state is EndedJob {
  return isEndedStatus(state.status);
}

function exists(state: JobState): state is Exclude<JobState, { readonly version: number }> {
  return state.status !== 'unsubmitted' && state.status !== 'purged';
}

function underLease(state: JobState, report: LeaseReport, decide: (job: LeasedJob) => JobDecision): JobDecision {
  if (!isLeased(state) || report.fence !== state.facts.fence) return reject('stale_fence');
  return wasApplied(state.applied, report.sequence) ? alreadySo : decide(state);
}

interface AttemptLoss {
  readonly reason: LeaseLossReason;
  readonly detail: string | null;
  readonly progress: RecordedProgress | null;
  readonly started: boolean;
}

/** A worker that reports an outcome has started. */
function engineLost(detail: string, progress: RecordedProgress | null): AttemptLoss {
  return { reason: 'engine_lost', detail, progress, started: true };
}

/**
 * Queues the job again while attempts are left. A second run with credentials may charge twice, so such an attempt
 * counts as soon as its worker has reported anything, however it is lost. Without a report it does not count.
 */
function endAttempt(job: LeasedJob, { reason, detail, progress, started }: AttemptLoss): JobDecision {
  if (job.status === 'canceling') return append(canceled('worker_lost', progress));
  const { hasCredentials, maxAttempts } = job.facts.submission;
  const attemptSpent = hasCredentials ? started || hasApplied(job.applied) : reason !== 'handed_back';
  if (attemptSpent && job.facts.attemptsSpent + 1 >= maxAttempts) {
    const { attempt } = job.lease;
    return append(failed(errorOf('worker_lost', lastAttemptLost({ attempt, maxAttempts }, reason, detail)), progress));
  }
  return append({ type: 'LeaseLost', data: { reason, detail, attemptSpent, progress } });
}

function failed(error: RecordedError, progress: RecordedProgress | null, nodeRun: NodeRun | null = null): JobFailed {
  return { type: 'JobFailed', data: { error, progress, nodeRun } };
}

function canceled(reason: CancelReason, progress: RecordedProgress | null): JobCanceled {
  return { type: 'JobCanceled', data: { reason, progress } };
}

function errorOf(code: RecordedError['code'], message: string): RecordedError {
  return { code, message, nodeId: null, classType: null, traceback: null };
}
