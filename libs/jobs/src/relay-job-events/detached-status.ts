import type { JobEventType } from '@heddle/jobs-domain';
import type { JobStatus } from '@heddle/contracts-messages';

/** As `evolve` of the domain gives them; between a cancel request and its end, reports are counted as of a running job. */
const STATUSES: Readonly<Record<JobEventType, JobStatus>> = {
  JobSubmitted: 'queued',
  LeaseLost: 'queued',
  JobLeased: 'running',
  NodeFinished: 'running',
  OutputCommitted: 'running',
  LogCaptured: 'running',
  CancelRequested: 'canceling',
  JobSucceeded: 'succeeded',
  JobFailed: 'failed',
  JobCanceled: 'canceled',
  JobExpired: 'expired',
  // How the job ended is no longer known; followers only need that it did.
  JobPurged: 'expired',
};

/** The status after an event whose envelope comes from its link, which has none: its partition has left the log. */
export function detachedStatus(type: string): JobStatus | null {
  return Object.hasOwn(STATUSES, type) ? STATUSES[type as JobEventType] : null;
}
