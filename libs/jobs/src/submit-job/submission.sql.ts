import { submissionLockSql } from './submission-lock.js';

/** Creates the counters of an account's first submission, and of its deployment. */
export const openAccountSql = `select jobs.open_counters($1::uuid[], $2::uuid[])`;

/** After a batch with unknown outcome: which of the assigned ids exist. */
export const createdJobsSql = `
select id, (extract(epoch from created_at) * 1000)::bigint as now from jobs.job where id = any($1::uuid[])`;

/** Whether a job of that id is there, of that account. */
export const storedJobSql = `
select from jobs.job where id = $1 and account_id = $2`;

/** Whether another transaction submits that job. */
export const underWaySql = `
select not pg_try_advisory_xact_lock(${submissionLockSql('$1::uuid')}) as "isUnderWay"`;

/** A claim that is rolled back at once: detects a concurrent transaction that holds the key. */
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
