import { accepted, rejected } from '@heddle/contracts-messages';
import type { Answer, JobListQuery, JobPage, Principal } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { SUMMARY_COLUMNS, summaryOf } from '../get-job/job-row.js';
import type { SummaryRow } from '../get-job/job-row.js';
import type { ListCursors } from './list-cursor.js';
import type { ListPlace } from './list-cursor.js';

/**
 * Newest first, from a place that never moves: (created_at, id) of a job are fixed, so each job that was there when the
 * first page was read comes once, whatever is submitted meanwhile. One job more than asked for tells whether this is
 * the last page. Only the conditions that are asked for stand in the text, so that each walks its index.
 */
function listJobs(
  principal: Principal,
  query: JobListQuery,
  place: ListPlace | null,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const labels = Object.entries(query.metadata).map(([key, label]) => `${key}=${label}`);
  const conditions = [
    `j.account_id = ${value(principal.accountId)}`,
    `j.deployment_id = ${value(principal.deploymentId)}`,
    'j.expires_at > heddle.clock_now()',
  ];
  if (place !== null) {
    const at = `to_timestamp(${value(place.createdAtMs)}::float8 / 1000)`;
    conditions.push(`(j.created_at, j.id) < (${at}, ${value(place.jobId)}::uuid)`);
  }
  if (query.statuses.length > 0) conditions.push(`j.status = any(${value(query.statuses)}::text[])`);
  if (query.idempotencyKey !== null) conditions.push(`j.idempotency_key = ${value(query.idempotencyKey)}`);
  if (labels.length > 0) conditions.push(`j.labels @> ${value(labels)}::text[]`);
  const text = `select ${SUMMARY_COLUMNS} from jobs.job j where ${conditions.join(' and ')}
    order by j.created_at desc, j.id desc limit ${value(query.limit + 1)}`;
  return { text, values };
}

/** GET /api/v2/jobs. */
export class ListJobsHandler {
  constructor(
    private readonly pool: Pool,
    private readonly cursors: ListCursors,
  ) {}

  async handle(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>> {
    const { accountId } = principal;
    const place = query.cursor === null ? null : await this.cursors.decode(accountId, query.cursor);
    if (query.cursor !== null && place === null) {
      return rejected('invalid_cursor', 'this cursor was not issued here; start again without one');
    }
    const { rows } = await this.pool.query<SummaryRow>(listJobs(principal, query, place));
    const jobs = rows.slice(0, query.limit);
    const more = rows.length > query.limit;
    return accepted({
      jobs: jobs.map(summaryOf),
      nextCursor: more ? await this.cursors.encode(accountId, placeOf(jobs.at(-1)!)) : null,
    });
  }
}

function placeOf(row: SummaryRow): ListPlace {
  return { createdAtMs: row.created_at, jobId: row.id };
}
