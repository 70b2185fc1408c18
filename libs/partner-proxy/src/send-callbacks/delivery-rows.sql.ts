/** A delivery whose attempt this process makes. */
export interface ClaimedDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly url: string;
  readonly body: string;
  /** Number of this attempt, from 1: a process that lost its lease ends nothing. */
  readonly attempt: number;
}

/**
 * At most $1 due deliveries, not of the accounts $2, for $3 ms. A process that dies within that time leaves its deliveries due
 * again. Rows that another process claims at this moment are skipped.
 */
export const claimSql = `
with due as (
  select delivery_id from partner_proxy.delivery
  where status = 'waiting' and next_at <= heddle.clock_now() and account_id <> all ($2::uuid[])
  order by next_at, delivery_id limit $1 for update skip locked
)
update partner_proxy.delivery d
set attempts = d.attempts + 1, next_at = heddle.clock_now_ms() + $3::float8 * interval '1 millisecond'
from due where d.delivery_id = due.delivery_id
returning d.delivery_id as "deliveryId", d.account_id as "accountId", d.url, d.body, d.attempts as attempt`;

/** Milliseconds until the next delivery is due, not of the accounts $1; no row: none waits. */
export const nextDueSql = `
select (extract(epoch from next_at - heddle.clock_now()) * 1000)::float8 as ms from partner_proxy.delivery
where status = 'waiting' and account_id <> all ($1::uuid[])
order by next_at, delivery_id limit 1`;

export const retrySql = `
update partner_proxy.delivery set next_at = heddle.clock_now_ms() + $4::float8 * interval '1 millisecond', problem = $5
where delivery_id = $1 and account_id = $2 and attempts = $3 and status = 'waiting'`;

/** Dead ones may be sent again: the body of a delivered one is not needed any more. */
export const endSql = `
update partner_proxy.delivery set status = $4, problem = $5, ended_at = heddle.clock_now_ms(),
  body = case when $4 = 'delivered' then '' else body end
where delivery_id = $1 and account_id = $2 and attempts = $3 and status = 'waiting'`;

/** The attempt did not begin: the process stops. */
export const returnSql = `
update partner_proxy.delivery set attempts = attempts - 1, next_at = heddle.clock_now_ms()
where delivery_id = $1 and account_id = $2 and attempts = $3 and status = 'waiting'`;
