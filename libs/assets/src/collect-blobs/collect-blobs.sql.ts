import { trustedNowSql } from '@heddle/platform-database';
import { NOW } from '../assets-database/now.js';
import type { BlobKey } from '@heddle/platform-blob-store';
import type { Statement } from '../assets-database/assets-database.js';

const IS_UNUSED = `not exists (select from assets.asset a where a.hash = b.hash)
           and not exists (select from assets.hold h where h.hash = b.hash)`;

export interface HashRow {
  readonly hash: string;
}

/** Parameter: maximum rows. */
export const TAKE_CANDIDATES: Statement = {
  name: 'assets.take_candidates',
  text: `delete from assets.collect_candidate c using (
           select id from assets.collect_candidate order by id limit $1 for update skip locked
         ) taken where c.id = taken.id returning c.hash`,
};

/**
 * G1, first half: blocks later minters. A locked blob is in use and skipped: waiting for several of them could
 * deadlock. Parameter: hashes.
 */
export const LOCK_CANDIDATES: Statement = {
  name: 'assets.lock_candidates',
  text: `select b.hash from assets.blob b where b.hash = any($1::text[]) and b.condemned_at is null
         order by b.hash for update skip locked`,
};

/** Candidates that were in use are checked again later. Parameter: candidates that were not locked. */
export const POSTPONE: Statement = {
  name: 'assets.postpone',
  text: `insert into assets.collect_candidate (hash)
         select b.hash from assets.blob b where b.hash = any($1::text[]) and b.condemned_at is null
         returning hash`,
};

/**
 * G1, second half. It must be a separate statement: a single one would decide on its snapshot from before the lock, and
 * condemn a blob that was just minted from. The time is truncated to the column's milliseconds: rounded up, it would be
 * after the check that follows at once. Parameter: locked hashes.
 */
export const CONDEMN: Statement = {
  name: 'assets.condemn',
  text: `update assets.blob b set condemned_at = heddle.clock_now_ms() where b.hash = any($1::text[]) and ${IS_UNUSED}
         returning b.hash`,
};

/** G3, first half: condemned for long enough. Parameters: maximum rows, grace in milliseconds, until when the clock is trusted. */
export const LOCK_CONDEMNED: Statement = {
  name: 'assets.lock_condemned',
  text: `select b.hash from assets.blob b where b.condemned_at <= ${trustedNowSql(3)} - $2 * interval '1 millisecond'
         order by b.condemned_at limit $1 for update skip locked`,
};

/**
 * G3, second half: from here on the key has no name and is never used again. A hold without a record revives the blob.
 * Parameter: locked hashes.
 */
export const UNLINK: Statement = {
  name: 'assets.unlink',
  text: `with gone as (
           delete from assets.blob b where b.hash = any($1::text[]) and b.condemned_at is not null and ${IS_UNUSED}
           returning b.object_key, b.former_keys
         ), revived as (
           update assets.blob b set condemned_at = null where b.hash = any($1::text[]) and not (${IS_UNUSED})
         )
         insert into assets.delete_task (object_key, created_at)
         select unnest(object_key || former_keys), heddle.clock_now() from gone on conflict do nothing
         returning object_key`,
};

/** As in the index: free tasks first, in the order in which they were released; tasks taken for later come last. */
const TAKEN = `coalesce(taken_until, '-infinity')`;

export interface DeleteTaskRow {
  readonly object_key: BlobKey;
}

/** Objects of damaged blobs that were uploaded again. Parameter: maximum rows. */
export const GIVE_UP_REPLACED: Statement = {
  name: 'assets.give_up_replaced',
  text: `with due as (
           select hash, former_keys from assets.blob where former_keys <> '{}' limit $1 for update skip locked
         ), cleared as (
           update assets.blob b set former_keys = '{}' from due where b.hash = due.hash
         )
         insert into assets.delete_task (object_key, created_at)
         select unnest(former_keys), heddle.clock_now() from due on conflict do nothing
         returning object_key`,
};

/**
 * Tasks that no other process works on; the taker owns them for a while. Parameters: maximum rows, keys that failed in
 * this round, milliseconds.
 */
export const TAKE_DELETE_TASKS: Statement = {
  name: 'assets.take_delete_tasks',
  text: `update assets.delete_task t set taken_until = heddle.clock_now() + $3 * interval '1 millisecond'
         from (
           select object_key from assets.delete_task
           where ${TAKEN} <= ${NOW} and object_key <> all($2::uuid[])
           order by ${TAKEN}, created_at, object_key limit $1 for update skip locked
         ) due
         where t.object_key = due.object_key returning t.object_key`,
};

/** Tasks whose object must be deleted a second time rest until then. Parameter: keys. */
export const END_DELETE_TASKS: Statement = {
  name: 'assets.end_delete_tasks',
  text: `with later as (
           update assets.delete_task set taken_until = again_at, again_at = null
           where object_key = any($1::uuid[]) and again_at > heddle.clock_now()
         )
         delete from assets.delete_task
         where object_key = any($1::uuid[]) and (again_at is null or again_at <= heddle.clock_now())`,
};

/** Parameter: keys. */
export const RELEASE_DELETE_TASKS: Statement = {
  name: 'assets.release_delete_tasks',
  text: 'update assets.delete_task set taken_until = null where object_key = any($1::uuid[])',
};

/** For a process that is alone. */
export const RELEASE_ALL_TASKS: Statement = {
  name: 'assets.release_all_delete_tasks',
  text: `update assets.delete_task set taken_until = null where ${TAKEN} > '-infinity'`,
};
