import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';
import { eventful } from '../tell-events/eventful-statement.js';

export interface SweptRow {
  readonly swept: number;
}

export interface SilenceStatements {
  /** Keys of rows that were silent for too long. Values: most rows, age in milliseconds. */
  readonly find: Statement;
  /** Ends those of these rows that are so still. Values: keys, age in milliseconds. */
  readonly end: Statement | EventfulStatement;
}

/** Reads filter by expiry themselves: this only frees space. Values: most rows. */
export const SWEEP_EXPIRED = eventful(
  'assets.sweep_expired',
  (tell) => `with due as (
           select id from assets.asset where expires_at <= heddle.clock_now()
           order by expires_at limit $1 for update skip locked
         ), gone as (
           delete from assets.asset a using due where a.id = due.id returning a.*
         ), candidates as (
           insert into assets.collect_candidate (hash) select hash from gone
         )${tell('AssetDeleted', 'gone', 'expired')}
         select count(*)::int as swept from gone`,
);

/**
 * What was silent for so long is judged by what has been heard: while no job events arrive, nobody can know what they would name.
 * The clock limits it, as events may have been recorded by one that was ahead. Value 2: the age in milliseconds.
 */
const SILENT_SINCE = `(select least(heddle.clock_now(), heard_until) - $2 * interval '1 millisecond' from assets.job_feed)`;

/** Outputs that no event of their job has named in all this time. */
export const UNCONFIRMED: SilenceStatements = {
  find: {
    name: 'assets.find_unconfirmed',
    text: `select id::text as key from assets.asset
           where job_id is not null and confirmed_at is null and created_at <= ${SILENT_SINCE}
           order by created_at, id limit $1`,
  },
  end: eventful(
    'assets.sweep_unconfirmed',
    (tell) => `with due as (
           select id from assets.asset where id = any($1::uuid[]) and job_id is not null and confirmed_at is null
             and created_at <= ${SILENT_SINCE}
           for update skip locked
         ), gone as (
           delete from assets.asset a using due where a.id = due.id returning a.*
         ), candidates as (
           insert into assets.collect_candidate (hash) select hash from gone
         )${tell('AssetDeleted', 'gone', 'unnamed')}
         select count(*)::int as swept from gone`,
  ),
};

/** Holds of submissions that were never heard of again. */
export const SILENT_HOLDS: SilenceStatements = {
  find: {
    name: 'assets.find_silent_holds',
    text: `select job_id || ' ' || asset_id as key from assets.hold
           where firm_at is null and created_at <= ${SILENT_SINCE}
           order by created_at, job_id, asset_id limit $1`,
  },
  end: {
    name: 'assets.sweep_silent_holds',
    text: `with due as (
           select h.job_id, h.asset_id from assets.hold h join unnest($1::text[]) as w (key)
             on h.job_id = split_part(w.key, ' ', 1)::uuid and h.asset_id = split_part(w.key, ' ', 2)::uuid
           where h.firm_at is null and h.created_at <= ${SILENT_SINCE}
           for update of h skip locked
         ), gone as (
           delete from assets.hold h using due where h.job_id = due.job_id and h.asset_id = due.asset_id returning h.hash
         ), candidates as (
           insert into assets.collect_candidate (hash) select hash from gone
         )
         select count(*)::int as swept from gone`,
  },
};

/** Released holds that nothing can place again any more. Values: most rows, age in milliseconds. */
export const SWEEP_RELEASED: Statement = {
  name: 'assets.sweep_released',
  text: `with due as (
           select job_id, asset_id from assets.hold
           where released_at <= heddle.clock_now() - $2 * interval '1 millisecond'
           order by released_at limit $1 for update skip locked
         ), gone as (
           delete from assets.hold h using due where h.job_id = due.job_id and h.asset_id = due.asset_id returning 1
         )
         select count(*)::int as swept from gone`,
};

/** Keys past their life; a claim takes over such a key by itself. Values: most rows, life in milliseconds. */
export const SWEEP_KEYS: Statement = {
  name: 'assets.sweep_keys',
  text: `with due as (
           select account_id, key from assets.idempotency_key
           where claimed_at <= heddle.clock_now() - $2 * interval '1 millisecond'
           limit $1 for update skip locked
         ), gone as (
           delete from assets.idempotency_key k using due where k.account_id = due.account_id and k.key = due.key
           returning 1
         )
         select count(*)::int as swept from gone`,
};
