import type { SchemaMigrations } from '@heddle/platform-database';

/** Lists by label walk `job_label`: the index that they used before it costs every submission with labels. */
export const labelIndexOnline: SchemaMigrations['migrations'][number] = {
  name: '0028-label-index-online',
  online: [{ sql: 'drop index concurrently if exists jobs.job_labels' }],
};
