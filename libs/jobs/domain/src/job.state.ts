import type { AppliedSequences } from './applied-sequences.js';
import type { CancelReason, JobSubmitted, RecordedError, RecordedOutput, RecordedProgress } from './job.events.js';

/** A job does not leave these statuses; after its retention it is purged. */
export const ENDED_STATUSES = ['succeeded', 'canceled', 'failed', 'expired'] as const;
export type EndedStatus = (typeof ENDED_STATUSES)[number];
export type VisibleStatus = 'queued' | 'running' | 'canceling' | EndedStatus;

/** Facts of a job in every status. */
export interface JobFacts {
  /** Version of the job's stream: its number of events. */
  readonly version: number;
  readonly submission: JobSubmitted['data'];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly updatedAt: string;
  /** Start of the first attempt; later attempts do not change it. */
  readonly startedAt: string | null;
  /** Fence of the newest lease, 0 before the first. */
  readonly fence: number;
  readonly attemptsSpent: number;
  /** In the order of their first commit. */
  readonly outputs: readonly RecordedOutput[];
  /** The last progress in the log: of a lost attempt, or of the end. */
  readonly progress: RecordedProgress | null;
}

export interface Lease {
  readonly workerId: string;
  readonly environment: string;
  readonly attempt: number;
  readonly leasedAt: string;
  readonly maxRuntimeMs: number;
}

export interface UnsubmittedJob {
  readonly status: 'unsubmitted';
  readonly version: number;
}
export interface QueuedJob {
  readonly status: 'queued';
  readonly facts: JobFacts;
  /** Queued since its submission or the loss of its last lease. */
  readonly queuedAt: string;
}
export interface RunningJob {
  readonly status: 'running';
  readonly facts: JobFacts;
  readonly lease: Lease;
  readonly applied: AppliedSequences;
}
export interface CancelingJob {
  readonly status: 'canceling';
  readonly facts: JobFacts;
  readonly lease: Lease;
  readonly applied: AppliedSequences;
  readonly cancelRequestedAt: string;
}
/** `lease` of an ended job is that of the attempt that ended it; null if the job ended in the queue. */
export interface SucceededJob {
  readonly status: 'succeeded';
  readonly facts: JobFacts;
  readonly completedAt: string;
  readonly lease: Lease | null;
}
export interface FailedJob {
  readonly status: 'failed';
  readonly facts: JobFacts;
  readonly completedAt: string;
  readonly lease: Lease | null;
  readonly error: RecordedError;
}
export interface CanceledJob {
  readonly status: 'canceled';
  readonly facts: JobFacts;
  readonly completedAt: string;
  readonly lease: Lease | null;
  readonly reason: CancelReason;
}
export interface ExpiredJob {
  readonly status: 'expired';
  readonly facts: JobFacts;
  readonly completedAt: string;
  readonly lease: Lease | null;
}
export interface PurgedJob {
  readonly status: 'purged';
  readonly version: number;
}

export function isEndedStatus(status: JobState['status']): status is EndedStatus {
  return (ENDED_STATUSES as readonly string[]).includes(status);
}

export type LeasedJob = RunningJob | CancelingJob;
export type EndedJob = SucceededJob | FailedJob | CanceledJob | ExpiredJob;
/** A job that clients can see while its retention lasts. */
export type VisibleJob = QueuedJob | LeasedJob | EndedJob;
export type JobState = UnsubmittedJob | VisibleJob | PurgedJob;

export const initial: UnsubmittedJob = { status: 'unsubmitted', version: 0 };
