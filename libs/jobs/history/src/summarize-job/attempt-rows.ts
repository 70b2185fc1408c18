import { isOf, type DecodedEvent } from './decoded-events.js';

export interface AttemptRow {
  readonly job_id: string;
  readonly attempt: number | null;
  readonly fence: number | null;
  readonly worker_id: string | null;
  readonly environment: string | null;
  readonly leased_at: string;
  readonly ended_at: string | null;
  /** Lease to end by the database's clock. */
  readonly run_ms: number | null;
  readonly ended_by: string | null;
  readonly spent: boolean | null;
}

/** Each lease with the event that ended it: the next loss or end of the job by version. */
export function attemptsOf(jobId: string, events: readonly DecodedEvent[]): AttemptRow[] {
  return events.flatMap((lease, at) => {
    if (!isOf(lease, 'JobLeased')) return [];
    const end = events.slice(at + 1).find((event) => endOf(event) !== null);
    return [
      {
        job_id: jobId,
        attempt: lease.data?.attempt ?? null,
        fence: lease.data?.fence ?? lease.fence,
        worker_id: lease.data?.workerId ?? null,
        environment: lease.data?.environment ?? null,
        leased_at: lease.recordedAt,
        ended_at: end?.recordedAt ?? null,
        run_ms: end === undefined ? null : Math.max(0, Date.parse(end.recordedAt) - Date.parse(lease.recordedAt)),
        ended_by: end === undefined || isUnknown(end) ? null : endOf(end),
        spent: end === undefined ? null : isSpent(end),
      },
    ];
  });
}

function endOf(event: DecodedEvent): string | null {
  if (isOf(event, 'LeaseLost')) return event.data?.reason === 'handed_back' ? 'handed_back' : 'lost';
  if (event.type === 'JobSucceeded') return 'succeeded';
  if (event.type === 'JobFailed') return 'failed';
  return event.type === 'JobCanceled' ? 'canceled' : null;
}

/** A lease may have been lost or handed back: its purged payload said which. */
function isUnknown(end: DecodedEvent): boolean {
  return isOf(end, 'LeaseLost') && end.data === null;
}

/** An end spends its attempt; of a purged loss nobody knows. */
function isSpent(end: DecodedEvent): boolean | null {
  if (!isOf(end, 'LeaseLost')) return true;
  return end.data?.attemptSpent ?? null;
}
