import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

export interface CommittedRow {
  readonly item: string;
  /** Epoch milliseconds: `recorded_at` of every event of the batch. */
  readonly now: string;
}

/**
 * Every change of jobs that exist, for a batch of them. A job whose version moved on drops out of `locked` and thereby
 * out of the answer: nothing of it is written, and its handler decides again (docs/decisions/0002). The transaction id is
 * assigned after the predecessor's commit, because the expected version was known only then; so (txid, position) orders
 * a stream like its versions. Locks are taken in one order: queue rows, then counters.
 */
export const commitSql = `
with clock as materialized (select heddle.clock_now_ms() as now),
item as materialized (
  select * from unnest(
    $1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::boolean[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[]
  ) with ordinality as i(
    job_id, expected, status, version, fence, started, progress, error,
    change, worker_id, lease_ms, runtime_ms, cancel_ms, wait_ms, delay_ms, item
  )
),
locked as materialized (
  select q.job_id, q.account_id, q.deployment_id, q.state, i.item, i.change
  from jobs.queue q join item i on i.job_id = q.job_id and i.expected = q.version
  order by q.job_id
  for update of q
),
appended as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          worker_seq, is_terminal, recorded_at, correlation_id, data)
  select e.event_id, l.job_id, e.version, e.type, $16::smallint, l.account_id, l.deployment_id, e.fence,
         e.worker_seq, e.is_terminal, c.now, e.correlation, substring($27::bytea from e.at for e.length)
  from unnest(
    $17::bigint[], $18::uuid[], $19::int[], $20::text[], $21::int[], $22::bigint[], $23::boolean[], $24::text[],
    $25::int[], $26::int[]
  ) with ordinality as e(item, event_id, version, type, fence, worker_seq, is_terminal, correlation, at, length, ord)
  join locked l on l.item = e.item, clock c
  order by e.ord
),
put_out as (
  insert into jobs.job_output (job_id, ordinal, key, output)
  select l.job_id, o.ordinal, substring($27::bytea from o.key_at for o.key_length), o.output::json
  from unnest($28::bigint[], $29::int[], $30::int[], $31::int[], $32::text[]) as o(item, ordinal, key_at, key_length, output)
  join locked l on l.item = o.item
),
shown as (
  update jobs.job j set
    status = i.status, version = i.version, fence = i.fence, updated_at = c.now,
    started_at = case when i.started then coalesce(j.started_at, c.now) else j.started_at end,
    completed_at = case when i.change = 'end' then c.now end,
    progress = coalesce(i.progress::json, j.progress),
    error = i.error::json
  from locked l join item i on i.item = l.item, clock c
  where j.id = l.job_id
),
moved as (
  update jobs.queue q set
    version = i.version, fence = i.fence,
    state = case i.change when 'lease' then 'leased' when 'cancel' then 'canceling' when 'requeue' then 'queued' else q.state end,
    worker_id = case i.change when 'lease' then i.worker_id when 'requeue' then null else q.worker_id end,
    lease_until = case i.change when 'lease' then c.now + i.lease_ms * interval '1 millisecond'
                                when 'requeue' then null else q.lease_until end,
    attempt_deadline = case i.change when 'lease' then c.now + i.runtime_ms * interval '1 millisecond'
                                     when 'requeue' then null else q.attempt_deadline end,
    cancel_deadline = case i.change when 'cancel' then c.now + i.cancel_ms * interval '1 millisecond'
                                    else q.cancel_deadline end,
    queue_deadline = case i.change when 'requeue' then c.now + i.wait_ms * interval '1 millisecond'
                                   when 'lease' then null else q.queue_deadline end,
    not_before = case i.change when 'requeue' then c.now + i.delay_ms * interval '1 millisecond' else q.not_before end
  from locked l join item i on i.item = l.item, clock c
  where q.job_id = l.job_id and i.change <> 'end'
),
gone as (
  delete from jobs.queue q using locked l where q.job_id = l.job_id and l.change = 'end'
),
by_account as materialized (
  select deployment_id, account_id, sum(waiting)::int as waiting, sum(running)::int as running, bool_or(leases) as leases
  from (
    select deployment_id, account_id,
      (change = 'requeue')::int - (state = 'queued' and change in ('lease', 'end'))::int as waiting,
      (change = 'lease')::int - (state <> 'queued' and change in ('requeue', 'end'))::int as running,
      change = 'lease' as leases
    from locked
  ) steps
  group by deployment_id, account_id
),
step as materialized (
  select * from by_account where waiting <> 0 or running <> 0 or leases
  union all
  select deployment_id, '${WHOLE_DEPLOYMENT}'::uuid, sum(waiting)::int, 0, false
  from by_account group by deployment_id having sum(waiting) <> 0
),
depth as materialized (
  select d.deployment_id, d.account_id
  from jobs.queue_depth d join step s on s.deployment_id = d.deployment_id and s.account_id = d.account_id
  order by d.deployment_id, d.account_id
  for no key update of d
),
counted as (
  update jobs.queue_depth d set
    waiting = d.waiting + s.waiting, running = d.running + s.running,
    served_at = case when s.leases then c.now else d.served_at end
  from step s join depth k on k.deployment_id = s.deployment_id and k.account_id = s.account_id, clock c
  where d.deployment_id = s.deployment_id and d.account_id = s.account_id
)
select l.item, (extract(epoch from c.now) * 1000)::bigint as now from locked l, clock c`;
