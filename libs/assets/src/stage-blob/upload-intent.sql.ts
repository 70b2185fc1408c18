import type { Statement } from '../assets-database/assets-database.js';

/** Names the object before its first byte. Parameters: object key, account, lease in milliseconds. */
export const OPEN_INTENT: Statement = {
  name: 'assets.open_intent',
  text: `insert into assets.upload (object_key, account_id, started_at, lease_until)
         select $1, $2, now.at, now.at + $3 * interval '1 millisecond' from (select heddle.clock_now() as at) now`,
};

/** Parameters: object key, lease in milliseconds. An expired lease is not revived: the sweeper may be working. */
export const RENEW_INTENT: Statement = {
  name: 'assets.renew_intent',
  text: `update assets.upload set lease_until = heddle.clock_now() + $2 * interval '1 millisecond'
         where object_key = $1 and lease_until > heddle.clock_now()`,
};

/** Parameter: object key. */
export const CLOSE_INTENT: Statement = {
  name: 'assets.close_intent',
  text: 'delete from assets.upload where object_key = $1',
};

export interface SettledBlobRow {
  /** The object that holds the bytes from now on: the staged one, or an existing one. */
  readonly object_key: string;
}

/**
 * Ends the intent and makes the bytes a blob, or finds the existing one, and locks its row until the transaction ends:
 * the collector waits, and its next check sees the new record. A condemned blob is revived; a damaged one gets the
 * staged object. No row: the lease was lost and the object belongs to the sweeper. Parameters: object key, hash, size.
 */
export const SETTLE_BLOB: Statement = {
  name: 'assets.settle_blob',
  text: `with intent as (
           delete from assets.upload where object_key = $1 and lease_until > heddle.clock_now() returning object_key
         )
         insert into assets.blob (hash, object_key, size_bytes, created_at)
         select $2, object_key, $3::bigint, heddle.clock_now() from intent
         on conflict (hash) do update set condemned_at = null, damaged_at = null,
           object_key = case when blob.damaged_at is null then blob.object_key else excluded.object_key end,
           former_keys = case when blob.damaged_at is null then blob.former_keys else blob.former_keys || blob.object_key end
         returning object_key`,
};
