import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/**
 * Row rules are constraints again (docs/decisions/0024): added without checking existing rows, which the next step
 * validates. A condition is a compiled function, which is cheaper per statement than an expression.
 */
export const rowConstraints: Step = {
  name: '0010-row-constraints',
  up: `
create function jobs.event_is_sound(
  version int, type text, schema_version smallint, fence bigint, worker_seq bigint, correlation_id text, bytes int)
returns boolean language plpgsql immutable as $$
begin
  return version > 0 and length(type) between 3 and 64 and schema_version > 0 and coalesce(fence, 0) >= 0
    and (worker_seq is null or (worker_seq > 0 and fence is not null))
    and (correlation_id is null or length(correlation_id) between 1 and 200)
    and bytes between 2 and 1048576;
end $$;
alter table jobs.event add constraint event_row check (jobs.event_is_sound(
  version, type, schema_version, fence, worker_seq, correlation_id, octet_length(data))) not valid;
drop trigger event_row on jobs.event;
drop function jobs.hold_event_row;

alter table jobs.job add constraint job_row
  check (jobs.job_is_sound(status, version, fence, started_at, completed_at, error is not null)) not valid;
alter table jobs.queue add constraint queue_row check (jobs.queue_is_sound(
  state, version, fence, queue_deadline, worker_id, lease_until, attempt_deadline, cancel_deadline)) not valid;
alter table jobs.queue_depth
  alter column waiting type integer, alter column running type integer,
  add constraint queue_depth_row check (least(waiting, running) >= 0);
drop domain jobs.counter;
`,
};

export const rowConstraintsOnline: Step = {
  name: '0011-row-constraints-online',
  online: [
    { sql: 'alter table jobs.event validate constraint event_row' },
    { sql: 'alter table jobs.job validate constraint job_row' },
    { sql: 'alter table jobs.queue validate constraint queue_row' },
    {
      index: 'event_id_within_stream',
      sql: 'create unique index concurrently event_id_within_stream on jobs.event (stream_id, event_id)',
    },
  ],
};
