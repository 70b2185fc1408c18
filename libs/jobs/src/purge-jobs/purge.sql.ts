import { hasEndedSql } from '../get-job/job-row.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/** Maximum jobs walked: purged ones make room for the next round. */
const MAX_WALKED = 1_000;
/** Maximum events of the jobs purged at once, not counting the last job. */
const MAX_EVENTS = 4_000;

/**
 * Jobs past their retention that must end before they can be purged. $1: a clock past this is not trusted, as in
 * overdue.sql.ts. The clock is read in a subselect, here and below: a volatile function cannot be an index condition.
 */
export const unendedSql = `
select id from (
  select id, status, expires_at from jobs.job
  where expires_at <= (select now from heddle.clock_now() now where now <= to_timestamp($1::float8 / 1000))
  order by expires_at limit ${MAX_WALKED}
) due
where status = 'queued' and id <> all($2::uuid[])
order by expires_at limit 100`;

/**
 * Read rows and outputs of ended jobs past their retention, each with its last event. Nobody else changes an ended job,
 * so its version needs no queue row; two purgers share the work by skipping each other's rows. $1 as above.
 */
export const purgeSql = `
with clock as materialized (
  select now from heddle.clock_now_ms() as now where now <= to_timestamp($1::float8 / 1000)
),
locked as materialized (
  select j.expires_at, j.id, j.account_id, j.deployment_id, j.version, j.fence, j.status, j.workflow_hash
  from jobs.job j
  where j.expires_at <= (select now from clock) and ${hasEndedSql}
  order by j.expires_at limit cardinality($2::uuid[])
  for update of j skip locked
),
-- Each payload that is redacted is an update: jobs of many events come in smaller parts.
due as materialized (
  select * from (
    select l.*, sum(l.version) over (order by l.expires_at, l.id) - l.version as events_before from locked l
  ) s where s.events_before < ${MAX_EVENTS}
),
numbered as (select d.*, row_number() over (order by d.id) as ord from due d),
appended as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data, status, traceparent)
  select ($2::uuid[])[n.ord], n.id, n.version + 1, 'JobPurged', $3::smallint, n.account_id, n.deployment_id, n.fence,
         false, c.now, 'purge', '{}'::bytea, n.status, e.traceparent
  from numbered n, clock c, jobs.derive_envelope(n.id, 1) e
),
outputs as (delete from jobs.job_output where job_id = any(array(select id from due))),
gone as (delete from jobs.job where id = any(array(select id from due))),
-- Each hash once, in one order; an entry that is there is locked, so that whoever works on it sees these jobs gone.
workflows as (
  insert into jobs.purged_workflow as p (hash, purged_at)
  select distinct d.workflow_hash, c.now from due d, clock c order by 1
  on conflict (hash) do update set purged_at = excluded.purged_at
)
select id from due`;

/** In the same transaction, after `JobPurged`: removes personal data from the events. Parameter: the purged jobs. */
export const redactPayloadsSql = `select jobs.forget_payloads($1::uuid[])`;

/** $1 as above; $2: how long a key is held, in milliseconds. */
export const purgeKeysSql = `
delete from jobs.idempotency_key k using (
  select account_id, key from jobs.idempotency_key
  where claimed_at <= (select now from heddle.clock_now() now where now <= to_timestamp($1::float8 / 1000))
                      - $2::bigint * interval '1 millisecond'
  order by claimed_at limit 1000 for update skip locked
) old
where k.account_id = old.account_id and k.key = old.key`;

/**
 * Counters of accounts without jobs for a while: a look at the queue reads them all. The next submission recreates
 * them.
 */
export const purgeCountersSql = `
delete from jobs.queue_depth d using (
  select deployment_id, account_id from jobs.queue_depth
  where waiting = 0 and running = 0 and account_id <> '${WHOLE_DEPLOYMENT}'::uuid
    and served_at < (select heddle.clock_now()) - interval '1 minute'
  limit 1000 for update skip locked
) idle
where d.deployment_id = idle.deployment_id and d.account_id = idle.account_id`;
