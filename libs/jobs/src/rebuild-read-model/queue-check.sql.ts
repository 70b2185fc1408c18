import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/**
 * Consistency of the queue, its counters and sealed credentials with the read model; each row is a contradiction.
 * Constraints check a row by itself (jobs-schema/row-constraints.ts).
 */
export const queueMismatchSql = `
select 'job ' || coalesce(j.id, q.job_id) || ' is ' || coalesce(j.status, 'absent') || ' and its queue row '
  || coalesce(q.state || ' at version ' || q.version || ', fence ' || q.fence, 'absent') as trouble
from (select * from jobs.job where final_status is null) j
full join jobs.queue q on q.job_id = j.id
where j.id is null or q.job_id is null or q.version <> j.version or q.fence <> j.fence
   or q.state <> case j.status when 'running' then 'leased' else j.status end
union all
select 'depth of account ' || coalesce(d.account_id, n.account_id) || ': ' || coalesce(d.waiting, 0) || ' waiting, '
  || coalesce(d.running, 0) || ' running; the queue has ' || coalesce(n.waiting, 0) || ' and ' || coalesce(n.running, 0)
from jobs.queue_depth d
full join (
  select deployment_id, account_id, count(*) filter (where state = 'queued') as waiting,
         count(*) filter (where state <> 'queued') as running
  from jobs.queue group by 1, 2
  union all
  select deployment_id, '${WHOLE_DEPLOYMENT}'::uuid, count(*) filter (where state = 'queued'), 0
  from jobs.queue group by 1
) n on n.deployment_id = d.deployment_id and n.account_id = d.account_id
where coalesce(d.waiting, 0) <> coalesce(n.waiting, 0) or coalesce(d.running, 0) <> coalesce(n.running, 0)
union all
select 'job ' || s.job_id || ' has ended or never was, and its sealed credentials are there'
from jobs.sealed_credentials s where not exists (select from jobs.queue q where q.job_id = s.job_id)
limit 20`;
