import { SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import { newestCounterSql, NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/** Taken shared while counters are opened, so that none gets a limit that has just changed. */
const LIMITS_LOCK = 7_236_211;

/** The place of the counter `d` in the index queue_depth_of_account. */
const PLACE = 'uuid_send(d.account_id) || uuid_send(d.deployment_id)';
/** The counters `d` of the account whose place is behind `after`. */
const OF_ACCOUNT = `${PLACE} > after and ${PLACE} <= uuid_send(account) || '\\xffffffffffffffffffffffffffffffff'::bytea
      and uuid_send(d.account_id) <> uuid_send('${WHOLE_DEPLOYMENT}')
      and uuid_send(d.deployment_id) <> uuid_send('${SELF_HOSTED_PRINCIPAL.deploymentId}')`;

/**
 * Open jobs of an account in all deployments. One search for each deployment: beside an open snapshot a sum would walk
 * every version of the counters.
 */
export const openJobsOfSql = `
create or replace function jobs.open_jobs_of(account uuid, out waiting bigint, out running bigint)
language plpgsql stable as $$
declare
  counter record;
  after bytea := uuid_send(account);
begin
  waiting := 0;
  running := 0;
  loop
    select d.deployment_id, d.waiting, d.running into counter from jobs.queue_depth d
      where d.account_id = account and ${OF_ACCOUNT}
      order by ${PLACE}, int8send(d.generation) desc limit 1;
    exit when not found;
    after := uuid_send(account) || uuid_send(counter.deployment_id);
    waiting := waiting + counter.waiting;
    running := running + counter.running;
  end loop;
end $$;
`;

/** Creates the counters of an account's first submission, and of its deployment. */
export const openCountersSql = `
create or replace function jobs.open_counters(deployments uuid[], accounts uuid[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(${LIMITS_LOCK});
  insert into jobs.queue_depth (deployment_id, account_id, running_limit)
    select n.d, n.a, l.running from unnest(deployments, accounts) as n(d, a)
    left join jobs.account_limit l on l.account_id = n.a
    order by n.d, n.a
    on conflict do nothing;
end $$;
`;

/**
 * Sets the limits of an account, unless a later change came first. Counters are locked in the order of deployments, as
 * elsewhere.
 */
export const limitAccountSql = `
create or replace function jobs.limit_account(account uuid, most_waiting bigint, most_running bigint, newest bigint)
returns boolean language plpgsql as $$
declare
  counter uuid;
  after constant bytea := uuid_send(account);
begin
  perform pg_advisory_xact_lock(${LIMITS_LOCK});
  insert into jobs.account_limit as l (account_id, waiting, running, version)
    values (account, most_waiting, most_running, newest)
    on conflict (account_id) do update set
      waiting = excluded.waiting, running = excluded.running, version = excluded.version
      where l.version < excluded.version;
  if not found then return false; end if;
  for counter in
    select distinct d.deployment_id from jobs.queue_depth d where ${OF_ACCOUNT} order by d.deployment_id
  loop
    update jobs.queue_depth d set running_limit = most_running, ${NEXT_GENERATION}
      where ${newestCounterSql('counter', 'account')};
  end loop;
  return true;
end $$;
`;

/**
 * Which of these leases may be committed now; null in the place of each other one. A lease is held back if its account
 * runs as many jobs as it may, in all deployments, or if the maximum runtime of its deployment is not the planned one.
 * The lock on the limit is taken before queue rows and counters, and orders the leases of the account in all replicas.
 */
export const roomToRunSql = `
create or replace function jobs.room_to_run(
  lease_accounts uuid[], lease_deployments uuid[], lease_jobs uuid[], planned_runtimes_ms bigint[], runtime_ms bigint,
  out allowed uuid[])
language plpgsql as $$
declare
  limited uuid[] := '{}';
  rooms bigint[] := '{}';
  account record;
  own_runtime_ms bigint;
  place int;
begin
  allowed := lease_jobs;
  for account in
    select l.account_id, l.running from jobs.account_limit l
    where l.account_id = any(lease_accounts) and l.running is not null
    order by l.account_id for no key update
  loop
    limited := limited || account.account_id;
    rooms := rooms || (account.running - (jobs.open_jobs_of(account.account_id)).running);
  end loop;
  for i in 1 .. cardinality(lease_jobs) loop
    select l.max_runtime_ms into own_runtime_ms from jobs.deployment_limit l where l.deployment_id = lease_deployments[i];
    place := array_position(limited, lease_accounts[i]);
    if coalesce(own_runtime_ms, runtime_ms) <> planned_runtimes_ms[i] or rooms[place] <= 0 then
      allowed[i] := null;
    elsif place is not null then
      rooms[place] := rooms[place] - 1;
    end if;
  end loop;
end $$;
`;

/** One row for each deployment; null: the setting. */
export const limitDeploymentsSql = `
insert into jobs.deployment_limit as l (deployment_id, waiting, max_runtime_ms, retention_ms, version)
select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as n(deployment_id) order by n.deployment_id
on conflict (deployment_id) do update set
  waiting = excluded.waiting, max_runtime_ms = excluded.max_runtime_ms, retention_ms = excluded.retention_ms,
  version = excluded.version
where l.version < excluded.version`;

export interface OpenJobsOfAccountRow {
  readonly account_id: string;
  readonly waiting: string;
  readonly running: string;
}

/** Of the accounts $1, in all deployments; accounts without open jobs are missing. */
export const openJobsOfAccountsSql = `
select a.account_id, o.waiting, o.running
from unnest($1::uuid[]) as a(account_id) cross join lateral jobs.open_jobs_of(a.account_id) o
where o.waiting + o.running > 0`;
