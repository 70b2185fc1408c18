import type { JobMessage } from '@heddle/contracts-messages';
import { millisecondsBetween } from '@heddle/jobs-domain';
import type { InboxSession } from '@heddle/platform-message-bus/follow-log';
import { addDays, COUNTS, endJobs, keepJobs, openJobs } from './accounts-daily.sql.js';
import type { OpenJobRow } from './accounts-daily.sql.js';

type Counts = Record<(typeof COUNTS)[number], number>;

interface Day {
  readonly accountId: string;
  readonly deploymentId: string;
  readonly dt: string;
  readonly counts: Counts;
}

/** The events that end a job, each with the column that counts it. */
const ENDS: Readonly<Record<string, 'succeeded' | 'failed' | 'canceled' | 'expired'>> = {
  JobSucceeded: 'succeeded',
  JobFailed: 'failed',
  JobCanceled: 'canceled',
  JobExpired: 'expired',
};

/**
 * Jobs, times and outputs of each account, deployment and day, as the relation `accounts_daily` of `heddle history
 * query` gives them: a submission counts on its day; an end, its times and outputs on the day of the end.
 */
export async function foldAccountsDaily(session: InboxSession, messages: readonly JobMessage[]): Promise<void> {
  const ids = [...new Set(messages.map(({ jobId }) => jobId))];
  const open = new Map((await session.query<OpenJobRow>(openJobs, [ids])).map((row) => [row.job_id, row]));
  const changed = new Map<string, OpenJobRow>();
  const days = new Map<string, Day>();
  const keep = (job: OpenJobRow): void => {
    open.set(job.job_id, job);
    changed.set(job.job_id, job);
  };
  const ended: string[] = [];
  for (const message of messages) {
    const { jobId, recordedAt } = message;
    if (message.type === 'JobSubmitted') {
      dayOf(days, message).submitted += 1;
      keep({ job_id: jobId, submitted_at: recordedAt, started_at: null, outputs: 0, output_bytes: 0 });
    }
    const job = open.get(jobId);
    if (job === undefined) continue;
    const end = ENDS[message.type];
    if (end === undefined) {
      const next = after(job, message);
      if (next !== job) keep(next);
    } else {
      addEnd(dayOf(days, message), end, job, recordedAt);
      open.delete(jobId);
      changed.delete(jobId);
      ended.push(jobId);
    }
  }
  await store(session, [...changed.values()], ended, [...days.values()]);
}

function after(job: OpenJobRow, { type, recordedAt, output }: JobMessage): OpenJobRow {
  if (type === 'JobLeased') return { ...job, started_at: job.started_at ?? recordedAt };
  if (type !== 'OutputCommitted') return job;
  const bytes = output === undefined || job.output_bytes === null ? null : job.output_bytes + output.sizeBytes;
  return { ...job, outputs: job.outputs + 1, output_bytes: bytes };
}

/** A job that ended in the queue has no times. */
function addEnd(
  counts: Counts,
  end: 'succeeded' | 'failed' | 'canceled' | 'expired',
  job: OpenJobRow,
  at: string,
): void {
  counts[end] += 1;
  counts.outputs += job.outputs;
  counts.output_bytes += job.output_bytes ?? 0;
  counts.queue_ms += millisecondsBetween(job.submitted_at, job.started_at) ?? 0;
  counts.run_ms += millisecondsBetween(job.started_at, at) ?? 0;
}

function dayOf(days: Map<string, Day>, { accountId, deploymentId, recordedAt }: JobMessage): Counts {
  const dt = recordedAt.slice(0, 'YYYY-MM-DD'.length);
  const key = `${accountId} ${deploymentId} ${dt}`;
  const known = days.get(key);
  if (known !== undefined) return known.counts;
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;
  days.set(key, { accountId, deploymentId, dt, counts });
  return counts;
}

async function store(
  session: InboxSession,
  open: readonly OpenJobRow[],
  ended: readonly string[],
  days: readonly Day[],
): Promise<void> {
  if (open.length > 0)
    await session.query(keepJobs, [
      open.map((job) => job.job_id),
      open.map((job) => job.submitted_at),
      open.map((job) => job.started_at),
      open.map((job) => job.outputs),
      open.map((job) => job.output_bytes),
    ]);
  if (ended.length > 0) await session.query(endJobs, [ended]);
  if (days.length === 0) return;
  await session.query(addDays, [
    days.map(({ accountId }) => accountId),
    days.map(({ deploymentId }) => deploymentId),
    days.map(({ dt }) => dt),
    ...COUNTS.map((name) => days.map(({ counts }) => counts[name])),
  ]);
}
