import { NIL_UUID } from '@heddle/contracts-messages';
import type { BlobKey } from '@heddle/platform-blob-store';
import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';

/** The bytes of a record no longer match its hash; alias `a` is the record. */
export const IS_DAMAGED =
  'exists (select from assets.blob damaged where damaged.hash = a.hash and damaged.damaged_at is not null)';

export interface ScrubbedBlobRow {
  readonly hash: string;
  readonly object_key: BlobKey;
  readonly size_bytes: number;
  readonly damaged: boolean;
}

/**
 * In the order of their keys, which are random: every blob is read once in a pass. Parameter: the last key, or null.
 */
export const NEXT_BLOB: Statement = {
  name: 'assets.next_scrubbed_blob',
  text: `select hash, object_key, size_bytes::float8 as size_bytes, damaged_at is not null as damaged from assets.blob
         where object_key > coalesce($1::uuid, '${NIL_UUID}') order by object_key limit 1`,
};

/** No row if the blob was removed or replaced while it was read: then there is no finding. Parameters: hash, key. */
const markDamaged = `update assets.blob set damaged_at = heddle.clock_now()
         where hash = $1 and object_key = $2 and damaged_at is null`;
export const MARK_DAMAGED: EventfulStatement = {
  quiet: { name: 'assets.mark_damaged', text: `${markDamaged} returning hash` },
  recording: {
    name: 'assets.mark_damaged_recording',
    text: `with marked as (${markDamaged} returning hash, size_bytes),
         event as (
           insert into assets.outbox (type, hash, size_bytes, recorded_at)
           select 'BlobDamaged', hash, size_bytes, heddle.clock_now_ms() from marked
         )
         select hash from marked`,
  },
};

/** The store's operator has restored the right bytes. Parameters: hash, key. */
export const MARK_SOUND: Statement = {
  name: 'assets.mark_sound',
  text: `update assets.blob set damaged_at = null
         where hash = $1 and object_key = $2 and damaged_at is not null returning hash`,
};

export const COUNT_DAMAGED: Statement = {
  name: 'assets.count_damaged',
  text: 'select count(*)::int as damaged from assets.blob where damaged_at is not null',
};
