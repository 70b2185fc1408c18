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
 * the last page.
 */
const listJobsSql = `
select ${SUMMARY_COLUMNS}
from jobs.job j
where j.account_id = $1 and j.deployment_id = $2 and j.expires_at > heddle.clock_now()
  and ($3::float8 is null or (j.created_at, j.id) < (to_timestamp($3::float8 / 1000), $4::uuid))
  and ($5::text[] is null or j.status = any($5::text[]))
  and ($6::text is null or j.idempotency_key = $6::text)
  and ($7::text[] is null or j.labels @> $7::text[])
order by j.created_at desc, j.id desc
limit $8`;

/** GET /api/v2/jobs. */
export class ListJobsHandler {
  constructor(
    private readonly pool: Pool,
    private readonly cursors: ListCursors,
  ) {}

  async handle(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>> {
    const { accountId, deploymentId } = principal;
    const place = query.cursor === null ? null : await this.cursors.decode(accountId, query.cursor);
    if (query.cursor !== null && place === null) {
      return rejected('invalid_cursor', 'this cursor was not issued here; start again without one');
    }
    const labels = Object.entries(query.metadata).map(([key, value]) => `${key}=${value}`);
    const { rows } = await this.pool.query<SummaryRow>(listJobsSql, [
      accountId,
      deploymentId,
      place?.createdAtMs ?? null,
      place?.jobId ?? null,
      query.statuses.length === 0 ? null : query.statuses,
      query.idempotencyKey,
      labels.length === 0 ? null : labels,
      query.limit + 1,
    ]);
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
