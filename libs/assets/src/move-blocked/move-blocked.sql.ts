import type { BlobKey } from '@heddle/platform-blob-store';
import type { Statement } from '../assets-database/assets-database.js';

export interface MoveTaskRow {
  readonly hash: string;
  /** Null: the bytes are gone, or not blocked any more. */
  readonly object_key: BlobKey | null;
}

/** The oldest task that no process works on. Parameter: for how long it is taken, in milliseconds. */
export const TAKE_MOVE_TASK: Statement = {
  name: 'assets.take_move_task',
  text: `with due as (
           select hash from assets.move_task where taken_until is null or taken_until <= heddle.clock_now()
           order by queued_at limit 1 for update skip locked
         ), taken as (
           update assets.move_task t set taken_until = heddle.clock_now() + $1 * interval '1 millisecond'
           from due where t.hash = due.hash returning t.hash
         )
         select taken.hash, b.object_key from taken
         left join assets.verdict v on v.hash = taken.hash and v.blocked
         left join assets.blob b on b.hash = v.hash`,
};

/** Parameter: hash. */
export const END_MOVE_TASK: Statement = {
  name: 'assets.end_move_task',
  text: 'delete from assets.move_task where hash = $1',
};

/**
 * The bytes have the staged key from now on; the collector removes the object under the former one. If the blob changed
 * meanwhile, the staged object is removed instead. No row: the intent was swept, with its object. Parameters: staged
 * key, hash, former key.
 */
export const MOVE_BLOB: Statement = {
  name: 'assets.move_blob',
  text: `with intent as (
           delete from assets.upload where object_key = $1 and lease_until > heddle.clock_now() returning object_key
         ), moved as (
           update assets.blob b set object_key = intent.object_key, former_keys = b.former_keys || b.object_key
           from intent where b.hash = $2 and b.object_key = $3 returning b.hash
         ), unused as (
           insert into assets.delete_task (object_key, created_at)
           select object_key, heddle.clock_now() from intent where not exists (select from moved)
         ), ended as (
           delete from assets.move_task t using intent where t.hash = $2
         )
         select exists (select from moved) as moved from intent`,
};
