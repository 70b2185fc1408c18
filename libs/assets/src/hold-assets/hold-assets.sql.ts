import type { AssetId } from '@heddle/contracts-messages';
import { IS_LIVE } from '../assets-database/asset-row.js';
import type { Statement } from '../assets-database/assets-database.js';
import { IS_DAMAGED } from '../scrub-blobs/scrub-blobs.sql.js';

export interface FoundInputRow {
  readonly id: AssetId;
  readonly hash: string;
  readonly size_bytes: number;
  readonly file_path: string;
  /** The requested name; null if it was requested by id. */
  readonly name: string | null;
}

const IS_USABLE = `${IS_LIVE} and not exists (select from assets.verdict v where v.hash = a.hash and v.blocked) and not ${IS_DAMAGED}`;

/**
 * Finds records by id and, for names, the newest live one; holds all of them if every id was found. The records are
 * locked first, so that a deletion waits and then sees the hold. Parameters: job, account, ids, names.
 */
export const PLACE_HOLDS: Statement = {
  name: 'assets.place_holds',
  text: `with by_id as materialized (
           select a.id, a.hash, a.size_bytes::float8 as size_bytes, a.file_path, null::text as name
           from assets.asset a where a.account_id = $2 and a.id = any($3::uuid[]) and ${IS_USABLE}
           for share of a
         ), by_name as materialized (
           select newest.*, wanted.name from unnest($4::text[]) as wanted (name) cross join lateral (
             select a.id, a.hash, a.size_bytes::float8 as size_bytes, a.file_path
             from assets.asset a where a.account_id = $2 and a.file_path = wanted.name and ${IS_USABLE}
             order by a.created_at desc, a.id desc limit 1
             for share of a
           ) newest
         ), found as (
           select * from by_id union all select * from by_name
         ), placed as (
           insert into assets.hold (job_id, asset_id, account_id, hash, created_at)
           select distinct $1::uuid, found.id, $2::uuid, found.hash, (select heddle.clock_now()) from found
           where (select count(*) from by_id) = cardinality($3::uuid[])
           on conflict do nothing
         )
         select * from found`,
};

/** Parameters: account, ids. */
export const FIND_LIVE: Statement = {
  name: 'assets.find_live',
  text: `select a.id from assets.asset a where a.account_id = $1 and a.id = any($2::uuid[]) and ${IS_USABLE}`,
};

/** Releases the unconfirmed holds of a job. A hold that the job's event has confirmed stays: the job exists. Parameter: job. */
export const RELEASE_PROVISIONAL: Statement = {
  name: 'assets.release_provisional',
  text: `with gone as (delete from assets.hold where job_id = $1 and firm_at is null returning hash)
         insert into assets.collect_candidate (hash) select hash from gone`,
};
