import type { SchemaMigrations } from '@heddle/platform-database';

/**
 * Indexes that let each lookup read only its result, however many rows exist: the oldest deletions, the active holds of
 * an asset (released ones stay for an hour), holds whose submission is undecided, and the reference of a hash with the
 * same path and tags, whatever other tags it was minted with.
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
