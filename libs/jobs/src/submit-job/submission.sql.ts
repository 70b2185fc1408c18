import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

export interface SubmissionRow {
  /** 1-based place in the batch; rows come in any order. */
  readonly ord: number;
  readonly verdict: 'created' | 'key_reuse' | 'queue_full' | 'unknown_account';
  /** Epoch milliseconds of the database clock. */
  readonly now: string;
  /** Jobs that waited before this batch. */
  readonly account_waiting: number;
  readonly deployment_waiting: number;
}

/**
 * A whole batch of submissions in one statement: what is refused leaves nothing behind, what is created is complete.
 * Locks are taken in one order (counters, then keys); a rival's uncommitted key is waited for, and won if it rolls back.
 * The shared advisory lock keeps the purge from removing a workflow's bytes that a submission is about to rely on.
 * An item's bytes lie one after another in $17: the hash, the event, the workflow.
 * A key that is held is told before a full queue (decisions, Refusals with a used key). What is added to the counters is
 * a CTE and must stay one: where a counter moved since the snapshot, PostgreSQL evaluates the update again with the rows
 * it had, but runs a union in a subquery anew, without the inserts.
 */
export const submissionSql = `
with settings as materialized (
  select heddle.clock_now_ms() as now, set_config('lock_timeout', $1::text, true) as lock_timeout,
         pg_advisory_xact_lock_shared($2::bigint) as purge_guard
),
item as materialized (
  select i.*, s.now, s.now - $3::bigint * interval '1 millisecond' as key_horizon
  from settings s, unnest(
    $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::int[], $13::int[], $14::int[], $23::text[]
  ) with ordinality as i(
    job_id, event_id, account_id, deployment_id, key, metadata, labels, correlation, at, data_length, workflow_length, traceparent, ord
  )
),
depth as materialized (
  select d.deployment_id, d.account_id, d.waiting
  from settings s, jobs.queue_depth d
  where d.deployment_id = any($21::uuid[]) and d.account_id = any($22::uuid[])
  order by d.deployment_id, d.account_id
  for no key update of d
),
looked_up as materialized (
  select i.*, i.key is null or not exists (
    select from jobs.idempotency_key k
    where k.account_id = i.account_id and k.key = i.key and k.claimed_at > i.key_horizon
  ) as is_fresh
  from item i
),
within_account as (
  select l.*, d.waiting as account_waiting,
         l.is_fresh and d.waiting + count(*) filter (where l.is_fresh)
           over (partition by l.deployment_id, l.account_id order by l.ord) <= $15::int as fits_account
  from looked_up l left join depth d on d.deployment_id = l.deployment_id and d.account_id = l.account_id
),
judged as materialized (
  select a.*, d.waiting as deployment_waiting,
         coalesce(a.fits_account and d.waiting + count(*) filter (where a.fits_account)
           over (partition by a.deployment_id order by a.ord) <= $16::int, false) as is_admitted
  from within_account a
  left join depth d on d.deployment_id = a.deployment_id and d.account_id = '${WHOLE_DEPLOYMENT}'::uuid
),
claimed as (
  insert into jobs.idempotency_key as k (account_id, key, job_id, claimed_at)
  select account_id, key, job_id, now from judged where is_admitted and key is not null order by account_id, key
  on conflict (account_id, key) do update set job_id = excluded.job_id, claimed_at = excluded.claimed_at
    where k.claimed_at <= (select key_horizon from item limit 1)
  returning k.job_id
),
decided as materialized (
  select j.*, j.is_admitted and (j.key is null or j.job_id in (select job_id from claimed)) as is_created
  from judged j
),
created as materialized (
  select d.*, substring($17::bytea from d.at for 32) as workflow_hash from decided d where d.is_created
),
appended as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data, status, traceparent)
  select event_id, job_id, 1, 'JobSubmitted', $18::smallint, account_id, deployment_id, 0, false, now, correlation,
         substring($17::bytea from at + 32 for data_length), 'queued', traceparent
  from created
),
kept as (
  insert into jobs.workflow (hash, bytes)
  select distinct on (1) workflow_hash, substring($17::bytea from at + 32 + data_length for workflow_length)
  from created order by 1
  on conflict do nothing
),
shown as (
  insert into jobs.job (id, account_id, deployment_id, status, version, fence, created_at, updated_at, expires_at,
                        workflow_hash, idempotency_key, metadata, labels)
  select job_id, account_id, deployment_id, 'queued', 1, 0, now, now, now + $19::bigint * interval '1 millisecond',
         workflow_hash, key, metadata::json, string_to_array(labels, E'\\x1f')
  from created
),
queued as (
  insert into jobs.queue (job_id, account_id, deployment_id, state, version, fence, not_before, queue_deadline)
  select job_id, account_id, deployment_id, 'queued', 1, 0, now, now + $20::bigint * interval '1 millisecond'
  from created
),
added as materialized (
  select deployment_id, account_id, count(*)::int as jobs from created group by 1, 2
  union all
  select deployment_id, '${WHOLE_DEPLOYMENT}'::uuid, count(*)::int from created group by 1
),
counted as (
  update jobs.queue_depth d set waiting = d.waiting + n.jobs
  from added n
  where d.deployment_id = n.deployment_id and d.account_id = n.account_id
)
select ord::int as ord, (extract(epoch from now) * 1000)::bigint as now,
  case
    when is_created then 'created'
    when is_admitted or not is_fresh then 'key_reuse'
    when account_waiting is null or deployment_waiting is null then 'unknown_account'
    else 'queue_full'
  end as verdict,
  account_waiting, deployment_waiting
from decided`;

/** Counters of an account that submits for the first time, and of its deployment. */
export const openAccountSql = `
insert into jobs.queue_depth (deployment_id, account_id)
select d, a from unnest($1::uuid[], $2::uuid[]) as n(d, a)
order by d, a
on conflict do nothing`;

/** After a batch whose commit is unknown: which of the assigned ids exist. */
export const createdJobsSql = `
select id, (extract(epoch from created_at) * 1000)::bigint as now from jobs.job where id = any($1::uuid[])`;

/** A claim that is rolled back at once: it tells whether a rival holds the key in a transaction of its own. */
export const probeKeySql = `
insert into jobs.idempotency_key (account_id, key, job_id, claimed_at)
values ($1, $2, $3, heddle.clock_now_ms())
on conflict do nothing`;

/** Which of the keys are held (24 h by the database clock). */
export const heldKeysSql = `
select i.ord::int as ord
from unnest($1::uuid[], $2::text[]) with ordinality as i(account_id, key, ord)
join jobs.idempotency_key k on k.account_id = i.account_id and k.key = i.key
where k.claimed_at > heddle.clock_now() - $3::bigint * interval '1 millisecond'`;
