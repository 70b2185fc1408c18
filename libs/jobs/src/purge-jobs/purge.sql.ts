/** Jobs past their retention that have to end before they can go. $1: the clock is not believed past this, as in overdue.sql.ts. */
export const unendedSql = `
select id from jobs.job
where expires_at <= heddle.clock_now() and heddle.clock_now() <= to_timestamp($1::float8 / 1000) and status = 'queued'
  and id <> all($2::uuid[])
order by expires_at limit 100`;

export interface PurgedRow {
  readonly id: string;
  readonly workflow_hash: Buffer;
}

/**
 * Read rows and outputs of ended jobs past their retention, each with its last event. An ended job is changed by nobody
 * else, so its version needs no queue row; two purgers share the work by skipping each other's rows. $1 as above.
 */
export const purgeSql = `
with clock as materialized (
  select now from heddle.clock_now_ms() as now where now <= to_timestamp($1::float8 / 1000)
),
due as materialized (
  select j.id, j.account_id, j.deployment_id, j.version, j.fence, j.status, j.workflow_hash
  from jobs.job j, clock c
  where j.expires_at <= c.now and j.status in ('succeeded', 'canceled', 'failed', 'expired')
  order by j.expires_at limit cardinality($2::uuid[])
  for update of j skip locked
),
numbered as (select d.*, row_number() over (order by d.id) as ord from due d),
appended as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data, status, traceparent)
  select ($2::uuid[])[n.ord], n.id, n.version + 1, 'JobPurged', $3::smallint, n.account_id, n.deployment_id, n.fence,
         false, c.now, 'purge', '{}'::bytea, n.status, e.traceparent
  from numbered n, clock c, jobs.derive_envelope(n.id, 1) e
),
outputs as (delete from jobs.job_output o using due d where o.job_id = d.id),
gone as (delete from jobs.job j using due d where j.id = d.id)
select id, workflow_hash from due`;

/** After the lock: a snapshot taken before it could miss a submission that relies on the bytes. */
export const purgeWorkflowsSql = `
delete from jobs.workflow w
where w.hash = any($1::bytea[]) and not exists (select from jobs.job j where j.workflow_hash = w.hash)`;

/** $1 as above; $2: how long a key is remembered, in milliseconds. */
export const purgeKeysSql = `
delete from jobs.idempotency_key k using (
  select account_id, key from jobs.idempotency_key
  where claimed_at <= heddle.clock_now() - $2::bigint * interval '1 millisecond'
    and heddle.clock_now() <= to_timestamp($1::float8 / 1000)
  order by claimed_at limit 1000 for update skip locked
) old
where k.account_id = old.account_id and k.key = old.key`;
