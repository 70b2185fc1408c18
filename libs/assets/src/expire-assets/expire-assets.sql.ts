import { trustedNowSql } from '@heddle/platform-database';
import type { Statement } from '../assets-database/assets-database.js';
import { eventful } from '../publish-events/eventful-statement.js';

export interface SweptRow {
  readonly swept: number;
}

/** Reads filter by expiry themselves: this only frees space. Parameters: maximum rows, until when the clock is trusted. */
export const SWEEP_EXPIRED = eventful(
  'assets.sweep_expired',
  (record) => `with due as (
           select id from assets.asset where expires_at <= ${trustedNowSql(2)}
           order by expires_at limit $1 for update skip locked
         ), gone as (
           delete from assets.asset a using due where a.id = due.id returning a.*
         ), candidates as (
           insert into assets.collect_candidate (hash) select hash from gone
         )${record('AssetDeleted', 'gone', 'expired')}
         select count(*)::int as swept from gone`,
);

/** Released holds that nothing can place again any more. Parameters: maximum rows, until when the clock is trusted, age in milliseconds. */
export const SWEEP_RELEASED: Statement = {
  name: 'assets.sweep_released',
  text: `with due as (
           select job_id, asset_id from assets.hold
           where released_at <= ${trustedNowSql(2)} - $3 * interval '1 millisecond'
           order by released_at limit $1 for update skip locked
         ), gone as (
           delete from assets.hold h using due where h.job_id = due.job_id and h.asset_id = due.asset_id returning 1
         )
         select count(*)::int as swept from gone`,
};

/** Keys past their life; a claim takes over such a key by itself. Parameters: as above. */
export const SWEEP_KEYS: Statement = {
  name: 'assets.sweep_keys',
  text: `with due as (
           select account_id, key from assets.idempotency_key
           where claimed_at <= ${trustedNowSql(2)} - $3 * interval '1 millisecond'
           order by claimed_at limit $1 for update skip locked
         ), gone as (
           delete from assets.idempotency_key k using due where k.account_id = due.account_id and k.key = due.key
           returning 1
         )
         select count(*)::int as swept from gone`,
};
