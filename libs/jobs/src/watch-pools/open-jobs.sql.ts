import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

export interface OpenJobsRow {
  readonly deployment_id: string;
  readonly revision: number;
  readonly waiting: number;
  readonly running: number;
}

/**
 * Of the deployments $1, by revision. Leased jobs are as few as workers: they are counted in one walk of their index.
 * Waiting jobs are counted by their counter; only those of revisions before the newest one are counted by rows, and
 * outside of a re-pin there are none.
 */
export const openJobsSql = `
with leased as (
  select deployment_id, revision, count(*)::int as running from jobs.queue
  where state <> 'queued' and deployment_id = any($1::uuid[]) group by deployment_id, revision
), depth as (
  select d.deployment_id, sum(d.waiting)::int as waiting, coalesce((
    select q.revision from jobs.queue q
    where q.deployment_id = d.deployment_id and q.state = 'queued' and q.revision > 0 order by q.revision desc limit 1
  ), 0) as newest
  from jobs.queue_depth d
  where d.deployment_id = any($1::uuid[]) and d.account_id = '${WHOLE_DEPLOYMENT}'::uuid group by d.deployment_id
), older as (
  select d.deployment_id, q.revision, count(*)::int as waiting
  from depth d join jobs.queue q on q.deployment_id = d.deployment_id and q.state = 'queued' and q.revision > 0
    and q.revision < d.newest
  group by d.deployment_id, q.revision
), waiting as (
  select * from older
  union all
  select d.deployment_id, d.newest,
    d.waiting - coalesce((select sum(o.waiting) from older o where o.deployment_id = d.deployment_id), 0)::int
  from depth d
)
select deployment_id, revision, coalesce(waiting, 0) as waiting, coalesce(running, 0) as running
from waiting full join leased using (deployment_id, revision)
where coalesce(waiting, 0) + coalesce(running, 0) > 0`;
