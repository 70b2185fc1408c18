import type { SchemaMigrations } from '@heddle/platform-database';

/** A log without events starts with the format that has the runs of failed nodes: no build before it reads this log. */
export const failedNodeFormat: SchemaMigrations['migrations'][number] = {
  name: '0027-failed-node-format',
  up: `
update jobs.log_format set floor = 3
  where floor = 2 and not exists (select from jobs.event) and not exists (select from jobs.replica);
`,
};
