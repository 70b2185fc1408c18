import { advanceProgress, ENDED_STATUSES, millisecondsBetween } from '@heddle/jobs-domain';
import type {
  JobError,
  JobId,
  JobOutput,
  JobProgress,
  JobStatus,
  JobSummary,
  JobView,
} from '@heddle/contracts-messages';

/** Times are milliseconds, which are several times cheaper to parse than timestamps. */
const instant = (column: string): string => `(extract(epoch from j.${column}) * 1000)::float8 as ${column}`;

/** Whether a job aliased `j` has ended. */
export const hasEndedSql = `j.status in (${ENDED_STATUSES.map((status) => `'${status}'`).join(', ')})`;

/** Select list of a list entry, for a job aliased `j`. */
export const SUMMARY_COLUMNS = `j.id, j.account_id, j.deployment_id, j.status, j.version, j.fence,
  ${['created_at', 'updated_at', 'started_at', 'completed_at', 'expires_at'].map(instant).join(', ')}, j.metadata`;

/** The columns that a summary omits. */
export const VIEW_COLUMNS = `${SUMMARY_COLUMNS}, j.progress, j.error,
  (select json_agg(o.output order by o.ordinal) from jobs.job_output o where o.job_id = j.id) as outputs,
  p.value as live_value, p.snapshot as live_snapshot`;

export interface SummaryRow {
  readonly id: JobSummary['id'];
  readonly account_id: JobSummary['accountId'];
  readonly deployment_id: JobSummary['deploymentId'];
  readonly status: JobStatus;
  readonly version: number;
  readonly fence: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly expires_at: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ViewRow extends SummaryRow {
  readonly progress: JobProgress | null;
  readonly error: JobError | null;
  readonly outputs: readonly JobOutput[] | null;
  readonly live_value: number | null;
  readonly live_snapshot: JobProgress | null;
}

/** `positions` holds the positions of waiting jobs; a job that left the queue after its row was read was next. */
export function summaryOf(row: SummaryRow, positions: ReadonlyMap<JobId, number>): JobSummary {
  const createdAt = iso(row.created_at);
  const startedAt = isoOrNull(row.started_at);
  const completedAt = isoOrNull(row.completed_at);
  return {
    id: row.id,
    accountId: row.account_id,
    deploymentId: row.deployment_id,
    status: row.status,
    version: row.version,
    fence: row.fence,
    createdAt,
    updatedAt: iso(row.updated_at),
    startedAt,
    completedAt,
    expiresAt: iso(row.expires_at),
    queuePosition: row.status === 'queued' ? (positions.get(row.id) ?? 1) : null,
    queueMs: millisecondsBetween(createdAt, startedAt),
    executionMs: millisecondsBetween(startedAt, completedAt),
    metadata: row.metadata,
  };
}

/** The newest progress is the volatile one while the job runs, and the log's once it has ended. */
export function viewOf(row: ViewRow, positions: ReadonlyMap<JobId, number>): JobView {
  const live = row.live_snapshot === null ? null : { ...row.live_snapshot, value: row.live_value ?? 0 };
  return {
    ...summaryOf(row, positions),
    progress: advanceProgress(row.progress, live),
    outputs: row.outputs ?? [],
    error: row.error,
  };
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function isoOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : iso(milliseconds);
}
