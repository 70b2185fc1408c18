import type { VisibleStatus } from './job.state.js';
import type { JobEventType } from './job.events.js';

/** As `evolve` sets them, except that a purged job keeps the status of its end. Null: the event does not change the status. */
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

/** The status of a job after an event. Messages carry it; event lines and exports do not. */
export function statusAfter(type: string, before: VisibleStatus): VisibleStatus {
  const after = Object.hasOwn(STATUSES, type) ? STATUSES[type as JobEventType] : null;
  return after ?? before;
}
