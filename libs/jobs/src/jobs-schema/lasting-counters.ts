import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/**
 * Counters that stay cheap to find while somebody holds a snapshot open, and hashes of workflows whose last job may be
 * purged (docs/decisions/0025). A new generation adds a new index entry, before those of row versions that cannot be
 * pruned.
 */
export const lastingCounters: Step = {
  name: '0014-lasting-counters',
  up: `
alter table jobs.queue_depth
  add column updates bigint not null default 0,
  add column generation bigint not null default 0,
  -- In an index instead of the count: an update that leaves it as it was stays within its page.
  add column waits boolean not null generated always as (waiting > 0) stored;
create index queue_depth_newest on jobs.queue_depth (deployment_id, account_id, generation desc);
-- One counter for each account and deployment, held by an index that no search uses: the primary key would be chosen instead of
-- the newest generations, and walks every version that cannot be pruned.
create unique index queue_depth_one on jobs.queue_depth ((uuid_send(deployment_id) || uuid_send(account_id)));
alter table jobs.queue_depth drop constraint queue_depth_pkey;
create index queue_depth_waiting on jobs.queue_depth (deployment_id, account_id) where waits;
create index queue_depth_whole on jobs.queue_depth (deployment_id) where account_id = '00000000-0000-0000-0000-000000000000'::uuid;

-- Its condition was that of every look at waiting jobs, so the planner took it for them, and walked all of it.
create index queue_due on jobs.queue (queue_deadline) where queue_deadline is not null;
drop index jobs.queue_overdue;

create table jobs.purged_workflow (
  hash bytea primary key,
  purged_at timestamptz(3) not null
);
create index purged_workflow_oldest on jobs.purged_workflow (purged_at);
grant select, insert, update, delete on jobs.purged_workflow to heddle_jobs;
`,
};

/** Updates of a counter per generation: an upper bound on the row versions walked, even if none can be pruned. */
const CHANGES_PER_GENERATION = 32;

/** Additional assignments in every update of a counter `d`. */
export const NEXT_GENERATION = `updates = d.updates + 1, generation = (d.updates + 1) / ${CHANGES_PER_GENERATION}`;

/**
 * Condition to update the counter `d` of these two ids: walks only the entries of its last generations. At least, not
 * equal: the transaction that is waited for may begin the next generation.
 */
export function newestCounterSql(deploymentId: string, accountId: string): string {
  return `d.deployment_id = ${deploymentId} and d.account_id = ${accountId} and d.generation >= (
    select latest.generation from jobs.queue_depth latest
    where latest.deployment_id = ${deploymentId} and latest.account_id = ${accountId}
    order by latest.generation desc limit 1)`;
}
