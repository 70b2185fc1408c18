import { TASK_EVENTS } from '@heddle/partner-proxy-domain';
import type { TaskEvent } from '@heddle/partner-proxy-domain';
import { trustedNowSql } from '@heddle/platform-database';

/** Takes a step, which one process alone can do. */
const takes = (event: TaskEvent): string => `step = '${TASK_EVENTS[event].to}', step_at = heddle.clock_now_ms()`;
const isAtStepOf = (event: TaskEvent): string => `step = '${TASK_EVENTS[event].from}'`;

const columns = `
  task_id as "taskId", account_id as "accountId", vendor, step, state, price::float8 as price, err_code as "errCode",
  creations, vendor_task_id as "vendorTaskId", callback_url as "callbackUrl",
  (extract(epoch from heddle.clock_now() - created_at) * 1000)::float8 as "ageMs",
  (extract(epoch from heddle.clock_now() - polled_at) * 1000)::float8 as "polledMs"`;

/**
 * Writes the row and claims the key ($7; null: none was sent) for $9 ms. No row: the key is claimed. The commit does not wait for
 * the disk: the commit of the step before the vendor's call does, and its wait covers this one.
 */
export const openTaskSql = `
with off as materialized (select set_config('synchronous_commit', 'off', true)),
expired as (
  delete from partner_proxy.idempotency_key
  where account_id = $2 and operation = $8 and key = $7 and claimed_at <= heddle.clock_now() - $9::float8 * interval '1 millisecond'
  returning 1
), claimed as (
  insert into partner_proxy.idempotency_key (account_id, operation, key, task_id)
  select $2, $8, $7, $1 from (select count(*) from expired) after_it where $7::text is not null
  on conflict do nothing returning 1
)
insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token, callback_url)
select $1, $2, $3, 'reserving', 'created', $4, $5, $6 from off where $7::text is null or exists (select from claimed)
returning to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`;

/** The last step before the vendor is called. From here on the payload is kept. */
export const beginCallSql = `
with begun as (
  update partner_proxy.task set ${takes('reserved')}
  where task_id = $1 and account_id = $2 and ${isAtStepOf('reserved')} returning task_id
), kept as (
  insert into partner_proxy.payload (task_id, payload) select task_id, $3 from begun where $3 <> ''
)
select from begun`;

export const isClaimedSql = `
select from partner_proxy.idempotency_key
where account_id = $1 and operation = $2 and key = $3 and claimed_at > heddle.clock_now() - $4::float8 * interval '1 millisecond'`;
export const releaseKeySql = `
delete from partner_proxy.idempotency_key where account_id = $1 and task_id = $2`;

export const ownTaskSql = `select ${columns} from partner_proxy.task where task_id = $1 and account_id = $2 and vendor = $3`;
export const ownPayloadSql = `
select p.payload from partner_proxy.payload p join partner_proxy.task t on t.task_id = p.task_id
where p.task_id = $1 and t.account_id = $2`;

/** The row of a task that this process already knows. */
export const knownTaskSql = `select ${columns} from partner_proxy.task where task_id = $1 and account_id = $2`;
export const lockedTaskSql = `${knownTaskSql} for update`;

export const calledBackSql = `select ${columns} from partner_proxy.task where callback_token = $1 and vendor = $2`;

/** Also a row if an earlier statement, whose answer is lost, has noted it. */
export const noteVendorSql = `
with noted as (
  update partner_proxy.task set vendor_task_id = $3, ${takes('taken')}
  where task_id = $1 and account_id = $2 and ${isAtStepOf('taken')} returning 1
)
select from noted
union all
select from partner_proxy.task where task_id = $1 and account_id = $2 and vendor_task_id = $3`;
export const noteSettledSql = `
update partner_proxy.task set ${takes('settled')}
where task_id = $1 and account_id = $2 and ${isAtStepOf('settled')} returning 1`;
export const changeStateSql = `
update partner_proxy.task set state = $3, err_code = $4, creations = $5, step = $6, step_at = heddle.clock_now_ms()
where task_id = $1 and account_id = $2`;

/** A time further ahead was noted by a clock that was ahead, and has returned. */
export const CLOCK_RETURNED_MS = 300_000;
const isAhead = (time: string): string =>
  `${time} > heddle.clock_now() + ${CLOCK_RETURNED_MS} * interval '1 millisecond'`;

/** Of all replicas one may ask the vendor, once in a while. */
export const claimPollSql = `
update partner_proxy.task set polled_at = heddle.clock_now_ms()
where task_id = $1 and account_id = $2 and step = 'under_way'
  and (polled_at is null or polled_at <= heddle.clock_now() - $3::float8 * interval '1 millisecond' or ${isAhead('polled_at')})
returning 1`;

export const deliverSql = `
insert into partner_proxy.delivery (delivery_id, task_id, account_id, url, body, status)
values ($1, $2, $3, $4, $5, 'waiting')`;

/**
 * Tasks of all accounts that the sweep continues, after the task $5 (null: from the oldest). A task is due when its step has been
 * idle for the time of this step, or when a task that is under way is too old. $6: until when the clock is trusted; null: it is
 * not, and no task is due that would end by it.
 */
export const leftTasksSql = `
select ${columns} from partner_proxy.task
where step <> 'over' and (created_at, task_id) > (
    coalesce((select created_at from partner_proxy.task where task_id = $5), '-infinity'),
    coalesce($5, '00000000-0000-0000-0000-000000000000'::uuid))
  and case step
  when 'under_way' then coalesce(polled_at, step_at) <= heddle.clock_now() - $1::float8 * interval '1 millisecond'
    or $6::float8 is not null and created_at <= ${trustedNowSql(6)} - $4::float8 * interval '1 millisecond' or ${isAhead('coalesce(polled_at, step_at)')}
  when 'settling' then step_at <= heddle.clock_now() - interval '3 seconds' or ${isAhead('step_at')}
  else $6::float8 is not null and step_at <= ${trustedNowSql(6)} - $2::float8 * interval '1 millisecond' end
order by created_at, task_id limit $3`;
