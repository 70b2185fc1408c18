import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

export interface OpenJobsRow {
  readonly deployment_id: string;
  readonly waiting: number;
  readonly running: number;
}

/** Of the deployments $1. Leased jobs are as few as workers: they are counted in one walk of their index. */
export const openJobsSql = `
with leased as (
  select deployment_id, count(*)::int as running from jobs.queue where state <> 'queued' group by deployment_id
), depth as (
  select deployment_id, sum(waiting)::int as waiting from jobs.queue_depth
  where deployment_id = any($1::uuid[]) and account_id = '${WHOLE_DEPLOYMENT}'::uuid group by deployment_id
)
select d.id as deployment_id, coalesce(depth.waiting, 0) as waiting, coalesce(leased.running, 0) as running
from unnest($1::uuid[]) as d (id)
left join depth on depth.deployment_id = d.id
left join leased on leased.deployment_id = d.id
where coalesce(depth.waiting, 0) + coalesce(leased.running, 0) > 0`;
