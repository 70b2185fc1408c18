import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';
import { submissionWrites } from './submission-writes.sql.js';

const loneItem = {
  jobId: '$4::uuid',
  eventId: '$5::uuid',
  accountId: '$6::uuid',
  deploymentId: '$7::uuid',
  key: '$8::text',
  metadata: '$9::text',
  labels: '$10::text',
  correlation: '$11::text',
  hash: '$12::bytea',
  event: '$13::bytea',
  workflow: '$14::bytea',
  schemaVersion: '$17::smallint',
  retentionMs: '$18::bigint',
  maxQueueWaitMs: '$19::bigint',
};

/**
 * The statement of a batch of one, which is what an idle service meets: the same judgement and the same writes, without
 * what it takes to keep several apart. That halves the time before the disk is asked.
 */
export const loneSubmissionSql = `
with settings as materialized (
  select n.now, n.now - $3::bigint * interval '1 millisecond' as key_horizon,
         set_config('lock_timeout', $1::text, true) as lock_timeout,
         pg_advisory_xact_lock_shared($2::bigint) as purge_guard
  from (select heddle.clock_now_ms() as now offset 0) n
),
depth as materialized (
  select d.account_id, d.waiting
  from settings s, jobs.queue_depth d
  where d.deployment_id = $7::uuid and d.account_id in ('${WHOLE_DEPLOYMENT}'::uuid, $6::uuid)
  order by d.account_id
  for no key update of d
),
judged as materialized (
  select s.now, s.key_horizon, a.waiting as account_waiting, w.waiting as deployment_waiting,
    $8::text is null or not exists (
      select from jobs.idempotency_key k
      where k.account_id = $6::uuid and k.key = $8::text and k.claimed_at > s.key_horizon
    ) as is_fresh,
    coalesce(a.waiting < $15::int and w.waiting < $16::int, false) as has_room
  from settings s
  left join depth a on a.account_id = $6::uuid
  left join depth w on w.account_id = '${WHOLE_DEPLOYMENT}'::uuid
),
claimed as (
  insert into jobs.idempotency_key as k (account_id, key, job_id, claimed_at)
  select $6::uuid, $8::text, $4::uuid, now from judged where is_fresh and has_room and $8::text is not null
  on conflict (account_id, key) do update set job_id = excluded.job_id, claimed_at = excluded.claimed_at
    where k.claimed_at <= (select key_horizon from settings)
  returning k.job_id
),
created as materialized (
  select now from judged where is_fresh and has_room and ($8::text is null or exists (select from claimed))
),
${submissionWrites(loneItem)},
counted as (
  update jobs.queue_depth d set waiting = d.waiting + 1
  from created
  where d.deployment_id = $7::uuid and d.account_id in ('${WHOLE_DEPLOYMENT}'::uuid, $6::uuid)
)
select 1 as ord, (extract(epoch from now) * 1000)::bigint as now,
  case
    when exists (select from created) then 'created'
    when not is_fresh or has_room then 'key_reuse'
    when account_waiting is null or deployment_waiting is null then 'unknown_account'
    else 'queue_full'
  end as verdict,
  account_waiting, deployment_waiting
from judged`;
