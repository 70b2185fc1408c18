import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/** The right to delete what is past its retention. */
export const taskRetention: Step = {
  name: '0002-task-retention',
  up: `grant delete on partner_proxy.task, partner_proxy.payload, partner_proxy.delivery to heddle_registry;`,
};

/** Ended tasks in the order in which they ended, for the purge. */
export const taskRetentionOnline: Step = {
  name: '0003-task-retention-online',
  online: [
    {
      index: 'task_told',
      sql: `create index concurrently task_told on partner_proxy.task (step_at) where step = 'over' and vendor_task_id is not null`,
    },
    {
      index: 'task_untold',
      sql: `create index concurrently task_untold on partner_proxy.task (step_at) where step = 'over' and vendor_task_id is null`,
    },
  ],
};
