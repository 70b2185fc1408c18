import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/**
 * The revision of the environment that a job was validated against, 0 where environments have none. Rows of revision 0
 * are not in the new index: the surfaces without revisions pay for nothing.
 */
export const queueRevisions: Step = {
  name: '0022-queue-revisions',
  up: `
alter table jobs.queue add column revision int not null default 0;
create index queue_revision on jobs.queue (deployment_id, revision, account_id, position)
  where state = 'queued' and revision > 0;

-- Which revisions of a deployment take jobs, by a version of the deployment; no row: all of them.
create table jobs.intake (
  deployment_id uuid primary key,
  version int not null,
  revisions int[] not null
);
grant select, insert, update on jobs.intake to heddle_jobs;

update jobs.queue q set revision = (convert_from(e.data, 'UTF8')::json ->> 'revision')::int
  from jobs.event e where e.stream_id = q.job_id and e.version = 1 and e.schema_version = 2;
`,
};
