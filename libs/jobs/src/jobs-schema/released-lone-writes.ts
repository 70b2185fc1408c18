/**
 * Frozen as released (docs/decisions/0017, superseded by 0024). This build calls neither function: they stay for
 * processes of the previous build, until a later release drops them.
 */
export const loneWritesSql = `
alter table jobs.job drop constraint job_row;
alter table jobs.queue drop constraint queue_row;

-- Nobody looks for an event by its id: it is there for readers to know duplicates by, and drawn at random.
alter table jobs.event drop constraint event_event_id_key;

alter table jobs.queue_depth drop constraint queue_depth_row;
create domain jobs.counter as integer check (value >= 0);
alter table jobs.queue_depth alter column waiting type jobs.counter, alter column running type jobs.counter;

alter table jobs.event drop constraint event_row;
create function jobs.hold_event_row() returns trigger language plpgsql as $$
begin
  if new.version > 0 and length(new.type) between 3 and 64 and new.schema_version > 0 and coalesce(new.fence, 0) >= 0
    and (new.worker_seq is null or (new.worker_seq > 0 and new.fence is not null))
    and (new.correlation_id is null or length(new.correlation_id) between 1 and 200)
    and octet_length(new.data) between 2 and 1048576
  then return new; end if;
  raise exception 'event % of stream % contradicts itself', new.version, new.stream_id
    using errcode = 'check_violation', constraint = 'event_row';
end $$;
create trigger event_row before insert on jobs.event for each row execute function jobs.hold_event_row();
drop function jobs.event_is_sound;

create function jobs.submit_job(
  lock_wait text, purge_guard bigint, key_life_ms bigint, new_job uuid, new_event uuid, account uuid, deployment uuid,
  claim text, metadata text, labels text, correlation text, hash bytea, data bytea, workflow bytea,
  account_room int, deployment_room int, schema_version smallint, retention_ms bigint, wait_ms bigint,
  out verdict text, out now bigint, out account_waiting int, out deployment_waiting int)
language plpgsql as $$
declare
  instant constant timestamptz := heddle.clock_now_ms();
begin
  perform set_config('lock_timeout', lock_wait, true), pg_advisory_xact_lock_shared(purge_guard);
  now := extract(epoch from instant) * 1000;
  update jobs.queue_depth d set waiting = d.waiting + 1
    where d.deployment_id = deployment and d.account_id = '00000000-0000-0000-0000-000000000000' returning d.waiting - 1 into deployment_waiting;
  update jobs.queue_depth d set waiting = d.waiting + 1
    where d.deployment_id = deployment and d.account_id = account returning d.waiting - 1 into account_waiting;
  if account_waiting < account_room and deployment_waiting < deployment_room then
    verdict := 'created';
    if claim is not null then
      insert into jobs.idempotency_key as k (account_id, key, job_id, claimed_at) values (account, claim, new_job, instant)
        on conflict (account_id, key) do update set job_id = excluded.job_id, claimed_at = excluded.claimed_at
        where k.claimed_at <= instant - key_life_ms * interval '1 millisecond';
      if not found then verdict := 'key_reuse'; end if;
    end if;
  elsif exists (
    select from jobs.idempotency_key k
    where k.account_id = account and k.key = claim and k.claimed_at > instant - key_life_ms * interval '1 millisecond'
  ) then
    verdict := 'key_reuse';
  else
    verdict := case when account_waiting is null or deployment_waiting is null then 'unknown_account' else 'queue_full' end;
  end if;
  if verdict <> 'created' then
    -- Only what was counted: a counter that was not there above may be there by now, with a rival's job in it.
    update jobs.queue_depth d set waiting = d.waiting - 1
      where d.deployment_id = deployment and d.account_id = '00000000-0000-0000-0000-000000000000' and deployment_waiting is not null;
    update jobs.queue_depth d set waiting = d.waiting - 1
      where d.deployment_id = deployment and d.account_id = account and account_waiting is not null;
    return;
  end if;
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data)
    values (new_event, new_job, 1, 'JobSubmitted', schema_version, account, deployment, 0, false, instant, correlation, data);
  insert into jobs.workflow (hash, bytes) values (hash, workflow) on conflict do nothing;
  insert into jobs.job (id, account_id, deployment_id, status, version, fence, created_at, updated_at, expires_at,
                        workflow_hash, idempotency_key, metadata, labels)
    values (new_job, account, deployment, 'queued', 1, 0, instant, instant,
            instant + retention_ms * interval '1 millisecond', hash, claim, metadata::json,
            string_to_array(labels, E'\\x1f'));
  insert into jobs.queue (job_id, account_id, deployment_id, state, version, fence, not_before, queue_deadline)
    values (new_job, account, deployment, 'queued', 1, 0, instant, instant + wait_ms * interval '1 millisecond');
end $$;

-- Nothing, and null, where the queue row's version moved on.
create function jobs.lease_job(
  job uuid, expected int, next int, new_fence int, worker text, lease_ms bigint, runtime_ms bigint,
  new_event uuid, schema_version smallint, correlation text, data bytea)
returns bigint language plpgsql as $$
declare
  instant constant timestamptz := heddle.clock_now_ms();
  account uuid;
  deployment uuid;
begin
  update jobs.queue q set
    version = next, fence = new_fence, state = 'leased', worker_id = worker, queue_deadline = null,
    lease_until = instant + lease_ms * interval '1 millisecond',
    attempt_deadline = instant + runtime_ms * interval '1 millisecond'
    where q.job_id = job and q.version = expected and q.state = 'queued'
    returning q.account_id, q.deployment_id into account, deployment;
  if not found then return null; end if;
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data)
    values (new_event, job, next, 'JobLeased', schema_version, account, deployment, new_fence, false, instant, correlation, data);
  update jobs.job j set
    status = 'running', version = next, fence = new_fence, updated_at = instant,
    started_at = coalesce(j.started_at, instant)
    where j.id = job;
  update jobs.queue_depth d set waiting = d.waiting - 1
    where d.deployment_id = deployment and d.account_id = '00000000-0000-0000-0000-000000000000';
  update jobs.queue_depth d set waiting = d.waiting - 1, running = d.running + 1, served_at = instant
    where d.deployment_id = deployment and d.account_id = account;
  return extract(epoch from instant) * 1000;
end $$;
`;
