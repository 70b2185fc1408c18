import { trustedNowSql } from '@heddle/platform-database';

/** The last parameter of each statement here: until when the clock is trusted. A callback's date holds for 5 minutes in both directions: after 11 a repeated nonce is refused by its date. */
export const purgeNoncesSql = `
delete from partner_proxy.vendor_nonce where ctid = any (array(
  select ctid from partner_proxy.vendor_nonce
  where seen_at < ${trustedNowSql(2)} - interval '11 minutes' order by seen_at limit $1))`;

/** Keys live $2 ms by the database clock. */
export const purgeKeysSql = `
delete from partner_proxy.idempotency_key where ctid = any (array(
  select ctid from partner_proxy.idempotency_key
  where claimed_at <= ${trustedNowSql(3)} - $2::float8 * interval '1 millisecond' order by claimed_at limit $1))`;

/**
 * At most $1 settled tasks that ended $2 ms ago, with all that belongs to them. One with a delivery that still waits is left for a
 * later round, and so is one that another process purges at this moment.
 */
const purgeSql = (which: string): string => `
with gone as (
  select task_id from partner_proxy.task t
  where step = 'over' and ${which} and step_at <= ${trustedNowSql(3)} - $2::float8 * interval '1 millisecond'
    and not exists (select from partner_proxy.delivery d where d.task_id = t.task_id and d.status = 'waiting')
  order by step_at limit $1 for update skip locked
), deliveries as (
  delete from partner_proxy.delivery d using gone where d.task_id = gone.task_id
), payloads as (
  delete from partner_proxy.payload p using gone where p.task_id = gone.task_id
)
delete from partner_proxy.task t using gone where t.task_id = gone.task_id`;

export const purgeToldSql = purgeSql('vendor_task_id is not null');
/** Tasks whose creation failed: no client knows their ids. */
export const purgeUntoldSql = purgeSql('vendor_task_id is null');
