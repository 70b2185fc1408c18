import type { JobStatus } from '@heddle/contracts-messages';

const STATUSES: Readonly<Record<string, JobStatus>> = {
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
export function forgottenStatus(type: string): JobStatus | null {
  return STATUSES[type] ?? null;
}
