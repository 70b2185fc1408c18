import type { BlobKey } from '@heddle/platform-blob-store';
import type { Statement } from '../assets-database/assets-database.js';

export interface OrphanRow {
  readonly key: BlobKey;
}

/**
 * Objects that nothing names. One statement, one snapshot: a key moves between these tables in transactions, so it is
 * seen in one of them. Parameter: keys.
 */
export const UNKNOWN_KEYS: Statement = {
  name: 'assets.unknown_keys',
  text: `select k.key from unnest($1::uuid[]) as k (key)
         where not exists (select from assets.blob b where b.object_key = k.key)
           and not exists (select from assets.upload u where u.object_key = k.key)
           and not exists (select from assets.delete_task t where t.object_key = k.key)
           and not exists (select from assets.blob b where b.former_keys <> '{}' and k.key = any(b.former_keys))`,
};

/** Parameter: keys. */
export const REMOVE_ORPHANS: Statement = {
  name: 'assets.remove_orphans',
  text: `insert into assets.delete_task (object_key, created_at)
         select key, heddle.clock_now() from unnest($1::uuid[]) as k (key) on conflict do nothing`,
};
