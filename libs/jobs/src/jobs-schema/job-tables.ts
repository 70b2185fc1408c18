/** The read model, which can be rebuilt from the log at any time, and data stored beside the log. */
export const jobTablesSql = `
-- A call of a compiled function: a condition in the constraint is prepared anew by every statement that writes.
create function jobs.job_is_sound(
  status text, version int, fence int, started_at timestamptz, completed_at timestamptz, has_error boolean)
returns boolean language plpgsql immutable as $$
begin
  return version > 0 and fence >= 0 and case
    when status = 'queued' then completed_at is null and not has_error
    when status in ('running', 'canceling') then fence > 0 and started_at is not null and completed_at is null and not has_error
    when status = 'failed' then completed_at is not null and has_error
    when status in ('succeeded', 'canceled', 'expired') then completed_at is not null and not has_error
    else false end;
end $$;

create table jobs.job (
  id uuid primary key,
  account_id uuid not null,
  deployment_id uuid not null,
  status text not null,
  version integer not null,
  fence integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  workflow_hash bytea not null,
  idempotency_key text,
  metadata json not null,
  -- Each pair as key=value, for the filters of the list; null where there are none.
  labels text[],
  progress json,
  error json,
  constraint job_row check (jobs.job_is_sound(status, version, fence, started_at, completed_at, error is not null))
) with (fillfactor = 80);
create index job_newest on jobs.job (account_id, deployment_id, created_at desc, id desc);
create index job_key on jobs.job (account_id, idempotency_key) where idempotency_key is not null;
create index job_labels on jobs.job using gin (labels) where labels is not null;
create index job_expiry on jobs.job (expires_at);
create index job_workflow on jobs.job (workflow_hash);

-- Keys and outputs are bytes and JSON text: names that come from graphs may hold what the text type refuses.
create table jobs.job_output (
  job_id uuid not null,
  ordinal integer not null check (ordinal >= 0),
  key bytea not null,
  output json not null,
  primary key (job_id, ordinal),
  unique (job_id, key)
);

create table jobs.workflow (
  hash bytea primary key,
  bytes bytea not null
);
alter table jobs.workflow alter column bytes set storage external;

create table jobs.idempotency_key (
  account_id uuid not null,
  key text collate "C" not null,
  job_id uuid not null,
  claimed_at timestamptz(3) not null,
  primary key (account_id, key)
);
create index idempotency_key_age on jobs.idempotency_key (claimed_at);

create table jobs.cursor_secret (
  id integer primary key default 1 check (id = 1),
  secret bytea not null
);
insert into jobs.cursor_secret (secret)
  select decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

grant select, insert, update, delete on jobs.job, jobs.job_output, jobs.workflow, jobs.idempotency_key to heddle_jobs;
grant select on jobs.cursor_secret to heddle_jobs;
`;
