import type { VisibleStatus } from './job.state.js';
import type { JobEventType } from './job.events.js';

/** As `evolve` gives them, but that a purged job keeps the status of its end. Null: the event leaves the status as it is. */
const STATUSES: Readonly<Record<JobEventType, VisibleStatus | null>> = {
  JobSubmitted: 'queued',
  JobLeased: 'running',
  LeaseLost: 'queued',
  NodeFinished: null,
  OutputCommitted: null,
  LogCaptured: null,
  CancelRequested: 'canceling',
  JobSucceeded: 'succeeded',
  JobFailed: 'failed',
  JobCanceled: 'canceled',
  JobExpired: 'expired',
  JobPurged: null,
};

/** The status of a job after an event: an event line and an export do not have it, a message does. */
export function statusAfter(type: string, before: VisibleStatus): VisibleStatus {
  const after = Object.hasOwn(STATUSES, type) ? STATUSES[type as JobEventType] : null;
  return after ?? before;
}
