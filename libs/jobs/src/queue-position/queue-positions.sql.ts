import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/** Jobs near the end of an account's queue are counted from the end: most queries are for recent submissions. */
const COUNTED_FROM_THE_END = 256;

/**
 * For each waiting job of $1: its rank in its account, the account's number of running jobs, and when it was last
 * served. The first row of a deployment also carries the entries of AccountTurns, unless $2 names the deployment.
 */
export const positionsSql = `
with asked as materialized (
  select job_id, deployment_id, account_id, position from jobs.queue where job_id = any($1::uuid[]) and state = 'queued'
),
owner as materialized (
  select a.deployment_id, a.account_id, a.lowest, a.highest, d.waiting, d.running, d.served_at
  from (select deployment_id, account_id, min(position) as lowest, max(position) as highest from asked group by 1, 2) a
  cross join lateral (
    select c.waiting, c.running, extract(epoch from c.served_at)::float8 as served_at from jobs.queue_depth c
    where c.deployment_id = a.deployment_id and c.account_id = a.account_id order by c.generation desc limit 1) d
),
back as materialized (
  select o.deployment_id, o.account_id, l.job_id, l.position,
         o.waiting + 1 - row_number() over (partition by o.deployment_id, o.account_id order by l.position desc) as rank
  from owner o cross join lateral (
    select q.job_id, q.position from jobs.queue q
    where q.deployment_id = o.deployment_id and q.account_id = o.account_id and q.state = 'queued'
    order by q.position desc limit ${COUNTED_FROM_THE_END}) l
),
front as materialized (
  select l.job_id, row_number() over (partition by o.deployment_id, o.account_id order by l.position) as rank
  from owner o cross join lateral (
    select q.job_id, q.position from jobs.queue q
    where q.deployment_id = o.deployment_id and q.account_id = o.account_id and q.state = 'queued'
      and q.position <= o.highest
    order by q.position) l
  where o.lowest < (
    select min(b.position) from back b where b.deployment_id = o.deployment_id and b.account_id = o.account_id)
)
select a.job_id, a.deployment_id, a.account_id, o.running, o.served_at, coalesce(f.rank, b.rank)::int as rank,
  case when row_number() over (partition by a.deployment_id) = 1 and a.deployment_id <> all($2::uuid[]) then coalesce((
    select string_agg(uuid_send(d.account_id) || float8send(extract(epoch from d.served_at)::float8) || int4send(d.waiting)
      || int4send(d.running), ''::bytea order by d.served_at, d.account_id)
    from jobs.queue_depth d
    where d.deployment_id = a.deployment_id and d.waits and d.account_id <> '${WHOLE_DEPLOYMENT}'::uuid
  ), '') end as entries
from asked a
join owner o on o.deployment_id = a.deployment_id and o.account_id = a.account_id
left join front f on f.job_id = a.job_id
left join back b on b.job_id = a.job_id`;
