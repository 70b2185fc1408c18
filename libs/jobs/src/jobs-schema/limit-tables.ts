import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/**
 * Limits that an account or a deployment has of its own; null: the setting holds (docs/decisions/0040). `version` orders
 * changes that arrive late. `running_limit` copies the limit of the account into its counters, so that a look at the queue
 * passes by accounts without a search.
 */
export const limitTables: Step = {
  name: '0023-limits',
  up: `
create table jobs.account_limit (
  account_id uuid primary key,
  waiting bigint,
  running bigint,
  version bigint not null,
  constraint account_limit_row check (least(waiting, running) >= 0)
);
create table jobs.deployment_limit (
  deployment_id uuid primary key,
  waiting bigint,
  max_runtime_ms bigint,
  retention_ms bigint,
  version bigint not null,
  constraint deployment_limit_row check (waiting >= 0 and least(max_runtime_ms, retention_ms) > 0)
);
grant select, insert, update, delete on jobs.account_limit, jobs.deployment_limit to heddle_jobs;
alter table jobs.queue_depth add column running_limit bigint;
`,
};

/**
 * The counters of an account in all deployments, by expressions that no other search uses (lasting-counters.ts), and the
 * waiting ones whose account has a limit of running jobs.
 */
export const limitTablesOnline: Step = {
  name: '0023-limits-online',
  online: [
    {
      index: 'queue_depth_of_account',
      sql: `create index concurrently queue_depth_of_account on jobs.queue_depth
        ((uuid_send(account_id) || uuid_send(deployment_id)), int8send(generation) desc)
        where uuid_send(account_id) <> uuid_send('00000000-0000-0000-0000-000000000000')
          and uuid_send(deployment_id) <> uuid_send('00000000-0000-7000-8000-000000000002')`,
    },
    {
      index: 'queue_depth_limited',
      sql: `create index concurrently queue_depth_limited on jobs.queue_depth (deployment_id)
        where waits and running_limit is not null`,
    },
  ],
};
