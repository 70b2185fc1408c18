import type { SchemaMigrations } from '@heddle/platform-database';

/**
 * Indexes that let each look-up read what it answers with, however many rows lie beside it: the oldest deletions, the holds of
 * an asset that are in force (released ones stay for an hour), holds whose submission is undecided, the reference of a hash with
 * the same path and tags, whichever other tags it was minted with.
 */
export const flatLookUps: SchemaMigrations['migrations'][number] = {
  name: '0008-flat-look-ups',
  online: [
    {
      index: 'delete_task_oldest',
      sql: `create index concurrently delete_task_oldest
        on assets.delete_task (coalesce(taken_until, '-infinity'), created_at, object_key)`,
    },
    {
      index: 'hold_in_force',
      sql: 'create index concurrently hold_in_force on assets.hold (asset_id, job_id) where released_at is null',
    },
    {
      index: 'hold_undecided',
      sql: 'create index concurrently hold_undecided on assets.hold (job_id) where firm_at is null',
    },
    {
      index: 'asset_same_reference',
      sql: `create index concurrently asset_same_reference
        on assets.asset (hash, account_id, file_path, hash_array_extended(tag_set, 0))`,
    },
    { sql: 'drop index concurrently if exists assets.asset_reference' },
  ],
};
