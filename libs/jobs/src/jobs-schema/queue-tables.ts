import { NIL_UUID } from '@heddle/contracts-messages';

/**
 * The all-zero account stands for a whole deployment in queue_depth; it sorts first, so that locks are taken in one
 * order.
 */
export const WHOLE_DEPLOYMENT = NIL_UUID;

/** One row per job that has not ended: its lock, its version, its deadlines (docs/decisions/0002). */
export const queueTablesSql = `
create function jobs.queue_is_sound(
  state text, version int, fence int, queue_deadline timestamptz, worker_id text, lease_until timestamptz,
  attempt_deadline timestamptz, cancel_deadline timestamptz)
returns boolean language plpgsql immutable as $$
begin
  return version > 0 and fence >= 0 and case state
    when 'queued' then queue_deadline is not null
      and num_nonnulls(worker_id, lease_until, attempt_deadline, cancel_deadline) = 0
    when 'leased' then fence > 0 and num_nulls(worker_id, lease_until, attempt_deadline) = 0
      and num_nonnulls(queue_deadline, cancel_deadline) = 0
    when 'canceling' then fence > 0 and num_nulls(worker_id, lease_until, attempt_deadline, cancel_deadline) = 0
      and queue_deadline is null
    else false end;
end $$;

create table jobs.queue (
  job_id uuid primary key,
  account_id uuid not null,
  deployment_id uuid not null,
  position bigint not null generated always as identity,
  state text not null,
  version integer not null,
  fence integer not null,
  not_before timestamptz(3) not null,
  queue_deadline timestamptz(3),
  worker_id text,
  lease_until timestamptz(3),
  attempt_deadline timestamptz(3),
  cancel_deadline timestamptz(3),
  constraint queue_row check (jobs.queue_is_sound(
    state, version, fence, queue_deadline, worker_id, lease_until, attempt_deadline, cancel_deadline))
) with (fillfactor = 70);
create index queue_waiting on jobs.queue (deployment_id, account_id, position) where state = 'queued';
create index queue_overdue on jobs.queue (queue_deadline) where state = 'queued';
-- Leased jobs are few, as many as workers: one index finds them all, whatever deadline is asked for.
create index queue_leased on jobs.queue (lease_until) where state <> 'queued';

-- Counted in the transactions that change them, so that depth is exact without count(*).
create table jobs.queue_depth (
  deployment_id uuid not null,
  account_id uuid not null,
  waiting integer not null default 0,
  running integer not null default 0,
  -- When a job of the account was leased last: whoever waits longest is served first.
  served_at timestamptz not null default '-infinity',
  primary key (deployment_id, account_id),
  constraint queue_depth_row check (least(waiting, running) >= 0)
) with (fillfactor = 50);

-- Volatile: the newest snapshot of a running job. What ends the job or its attempt carries the last one into the log.
create table jobs.job_progress (
  job_id uuid primary key references jobs.queue on delete cascade,
  fence integer not null,
  sequence bigint not null,
  value double precision not null check (value >= 0 and value <= 1),
  snapshot json not null
) with (fillfactor = 50);

grant select, insert, update, delete on jobs.queue, jobs.queue_depth, jobs.job_progress to heddle_jobs;
`;
