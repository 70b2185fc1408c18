import { inboxMigrationSql } from '@heddle/platform-message-bus/follow-log';

/**
 * The tables of the place of one projection, beside its own tables in `schema`: its place in the log, and for each
 * job that is not purged the version that was folded last. `role` is the consumer's.
 */
export function projectionTablesSql(schema: string, role: string): string {
  return `${inboxMigrationSql(schema, role)}
create table ${schema}.folded_job (
  job_id uuid primary key,
  version integer not null check (version > 0),
  status text not null
) with (fillfactor = 70);

-- Messages that arrived before an earlier one of their job.
create table ${schema}.early_message (
  job_id uuid not null,
  version integer not null,
  seq bigint not null,
  event_id uuid not null,
  status text,
  message json not null,
  primary key (job_id, version)
);
create index early_message_seq on ${schema}.early_message (seq);

grant select, insert, update, delete on ${schema}.folded_job, ${schema}.early_message to ${role};
`;
}
