import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/**
 * Entries of the partner proxy's tasks. The column is null on every row there is, so it is added without a rewrite; an
 * earlier build goes on writing entries of jobs, which the new constraint accepts as the old one did. The next step checks
 * the rows there are.
 */
export const taskEntries: Step = {
  name: '0024-task-entries',
  up: `
alter table jobs.ledger
  add column task_id uuid,
  drop constraint ledger_row,
  add constraint ledger_row check (balance >= 0 and case kind
    when 'grant' then amount > 0 and num_nonnulls(job_id, task_id, charged) = 0
    when 'withdraw' then amount < 0 and num_nonnulls(job_id, task_id, charged) = 0
    when 'reserve' then amount < 0 and num_nonnulls(job_id, task_id) = 1 and charged is null and note is null
    when 'settle' then amount >= 0 and num_nonnulls(job_id, task_id) = 1 and charged >= 0 and note is null
    else false end) not valid;
grant insert (task_id) on jobs.ledger to heddle_jobs;
`,
};

export const taskEntriesOnline: Step = {
  name: '0025-task-entries-online',
  online: [
    { sql: 'alter table jobs.ledger validate constraint ledger_row' },
    {
      // One reserve and at most one settle a task.
      index: 'ledger_task',
      sql: 'create unique index concurrently ledger_task on jobs.ledger (task_id, kind) where task_id is not null',
    },
  ],
};
