import type { JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/**
 * Place of a waiting job `q` in the claim order, as an SQL expression. A claim takes the account with the fewest running
 * jobs, of those the one served longest ago, and of it the oldest job; each claim adds one to its account's running
 * jobs. So the job of rank r in an account with n running jobs comes after every job of another account whose own
 * n + r is smaller. Counters of accounts are read, not their jobs.
 */
export const queuePositionSql = `(
  select own.rank + coalesce((
    select sum(least(o.waiting, greatest(0,
      d.running + own.rank - o.running
      - case when (o.served_at, o.account_id) < (d.served_at, d.account_id) then 0 else 1 end)))
    from jobs.queue_depth o
    where o.deployment_id = q.deployment_id and o.account_id not in (q.account_id, '${WHOLE_DEPLOYMENT}'::uuid)
      and o.waiting > 0
  ), 0)
  from jobs.queue_depth d, lateral (
    select count(*)::int as rank from jobs.queue w
    where w.deployment_id = q.deployment_id and w.account_id = q.account_id and w.state = 'queued'
      and w.position <= q.position
  ) own
  where d.deployment_id = q.deployment_id and d.account_id = q.account_id
)::int`;

const positionsSql = `
select q.job_id, ${queuePositionSql} as place
from jobs.queue q where q.job_id = any($1::uuid[]) and q.state = 'queued'`;

/** 1-based places in the deployment's claim order as it stands (decisions, Job fields); jobs that do not wait are absent. */
export class QueuePositions {
  constructor(private readonly pool: Pool) {}

  async of(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    if (jobIds.length === 0) return new Map();
    const { rows } = await this.pool.query<{ job_id: JobId; place: number }>({
      name: 'queue-positions',
      text: positionsSql,
      values: [plainArray(jobIds)],
    });
    return new Map(rows.map((row) => [row.job_id, row.place]));
  }
}
