import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/**
 * What the general statement (commit.sql.ts) does for a batch that is one lease of one job: the hand-over of a job to a
 * worker that waits has no time for arrays. The queue row is locked by its update; where its version moved on, nothing
 * is written and nothing comes back. Counters follow in the order of their key, as everywhere.
 */
export const loneLeaseSql = `
with clock as materialized (select heddle.clock_now_ms() as now),
leased as (
  update jobs.queue q set
    version = $3::int, fence = $4::int, state = 'leased', worker_id = $5::text, queue_deadline = null,
    lease_until = c.now + $6::bigint * interval '1 millisecond',
    attempt_deadline = c.now + $7::bigint * interval '1 millisecond'
  from clock c
  where q.job_id = $1::uuid and q.version = $2::int and q.state = 'queued'
  returning q.job_id, q.account_id, q.deployment_id, c.now
),
appended as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data)
  select $8::uuid, job_id, $3::int, 'JobLeased', $9::smallint, account_id, deployment_id, $4::int, false, now, $10::text,
         $11::bytea
  from leased
),
shown as (
  update jobs.job j set
    status = 'running', version = $3::int, fence = $4::int, updated_at = l.now,
    started_at = coalesce(j.started_at, l.now)
  from leased l
  where j.id = l.job_id
),
counted as (
  update jobs.queue_depth d set
    waiting = d.waiting - 1,
    running = d.running + (d.account_id = l.account_id)::int,
    served_at = case when d.account_id = l.account_id then l.now else d.served_at end
  from leased l
  where d.deployment_id = l.deployment_id and d.account_id = any(array['${WHOLE_DEPLOYMENT}'::uuid, l.account_id])
)
select 1 as item, (extract(epoch from now) * 1000)::bigint as now from leased`;
