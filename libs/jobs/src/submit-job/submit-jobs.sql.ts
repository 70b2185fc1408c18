import { NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';
import { WORKFLOW_LOCKS, workflowLockSql } from '../purge-jobs/workflow-lock.js';
import { PRICED } from './priced-submission.sql.js';
import type { PricedParts } from './priced-submission.sql.js';
import { submissionLockSql } from './submission-lock.js';

/** Submissions of a surface without credits: nothing is looked up. */
const UNPRICED: PricedParts = {
  name: 'submit_jobs',
  schemaVersion: 'schema_version',
  inputs: 'schema_version smallint, ',
  outputs: '',
  variables: '',
  lockLimits: '',
  hasRoom: 'depths[account] < account_room and depths[deployment] < deployment_room',
  lockBalances: '',
  refuseStalePrice: '',
  isAffordable: '',
  refuseForCredits: '',
  repeated: '',
  spend: '',
  writeLedger: '',
  queueColumn: '',
  queueValue: '',
  retention: 'retention_ms',
};

/** The function that this build and those before it call for jobs without a price. */
export const submitJobsSql = submissionSql(UNPRICED);
/** The same for surfaces with credits: it reserves what each job may cost. */
export const submitPricedJobsSql = submissionSql(PRICED);

/**
 * Submits a batch of any size, in the order given. A refused item leaves nothing behind; a created one is complete.
 *
 * - Locks are taken in one order: limits by account, counters as they are given, balances by account, then keys. The function waits for a rival's uncommitted
 *   key, and claims it if the rival rolls back.
 * - A shared lock on the workflow's hash keeps the purge from removing bytes that a submission is about to rely on
 *   (purge-workflows.sql.ts).
 * - A shared lock on the job's id shows a repetition of the submission that the first one is under way.
 * - Until the build after 0a96e1f, `purge_guard` keeps away purgers of builds before it.
 * - It is a function because its statements keep their plans: a lone submission does not set up a plan of twenty parts.
 *
 * `account_counters` and `deployment_counters` are indexes into `counter_accounts` and `counter_deployments`, one per
 * item. From `starts[i]` on, `bytes` hold the item's hash (32 bytes), event and workflow. `account_waiting` and
 * `deployment_waiting` count the jobs that waited when the item was decided, null without a counter.
 */
function submissionSql(parts: PricedParts): string {
  return `
create or replace function jobs.${parts.name}(
  lock_wait text, purge_guard bigint, key_life_ms bigint, account_room int, deployment_room int,
  ${parts.inputs}retention_ms bigint, wait_ms bigint,
  counter_deployments uuid[], counter_accounts uuid[], account_counters int[], deployment_counters int[],
  job_ids uuid[], event_ids uuid[], claims text[], metadatas text[], label_lists text[], correlations text[],
  traceparents text[], starts int[], data_lengths int[], workflow_lengths int[], bytes bytea,
  out now_ms bigint, out verdicts text[], out account_waiting int[], out deployment_waiting int[]${parts.outputs})
language plpgsql as $$
declare
  instant constant timestamptz := heddle.clock_now_ms();
  key_horizon constant timestamptz := instant - key_life_ms * interval '1 millisecond';
  depths int[];
  depth int;
  generations bigint[];
  generation_now bigint;
  account int;
  deployment int;
  verdict text;${parts.variables}
begin
  perform set_config('lock_timeout', lock_wait, true), pg_advisory_xact_lock_shared(purge_guard);
  now_ms := extract(epoch from instant) * 1000;${parts.lockLimits}
  for n in 1 .. cardinality(counter_accounts) loop
    select d.waiting, d.generation into depth, generation_now from jobs.queue_depth d
      where d.deployment_id = counter_deployments[n] and d.account_id = counter_accounts[n]
      order by d.generation desc limit 1 for no key update;
    depths[n] := depth;
    generations[n] := generation_now;
  end loop;${parts.lockBalances}

  for i in 1 .. cardinality(job_ids) loop
    account := account_counters[i];
    deployment := deployment_counters[i];
    account_waiting[i] := depths[account];
    deployment_waiting[i] := depths[deployment];
    ${parts.refuseStalePrice}if ${parts.hasRoom}${parts.isAffordable} then
      verdict := 'created';
      perform pg_advisory_xact_lock_shared(${WORKFLOW_LOCKS}, ${workflowLockSql('substring(bytes from starts[i] for 4)')}),
              pg_advisory_xact_lock_shared(${submissionLockSql('job_ids[i]')});
      if claims[i] is not null then
        insert into jobs.idempotency_key as k (account_id, key, job_id, claimed_at)
          values (counter_accounts[account], claims[i], job_ids[i], instant)
          on conflict (account_id, key) do update set job_id = excluded.job_id, claimed_at = excluded.claimed_at
          where k.claimed_at <= key_horizon;
        if not found then verdict := 'key_reuse'; end if;
      end if;
    -- A key that is held is told before a full queue (decisions, Refusals with a used key).
    elsif claims[i] is not null and exists (
      select from jobs.idempotency_key k
      where k.account_id = counter_accounts[account] and k.key = claims[i] and k.claimed_at > key_horizon)
    then
      verdict := 'key_reuse';
    elsif depths[account] is null or depths[deployment] is null then
      verdict := 'unknown_account';${parts.refuseForCredits}
    else
      verdict := 'queue_full';
    end if;
    -- What keeps a submission out may be its own job: its caller repeats it where the answer was lost.
    if verdict in ('key_reuse', 'queue_full'${parts.repeated}) and exists (
      select from jobs.job j where j.id = job_ids[i] and j.account_id = counter_accounts[account])
    then
      verdict := 'repeated';
    end if;
    verdicts[i] := verdict;
    if verdict = 'created' then
      depths[account] := depths[account] + 1;
      depths[deployment] := depths[deployment] + 1;${parts.spend}
    end if;
  end loop;
  if not 'created' = any(verdicts) then return; end if;

  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data, status, traceparent)
    select event_ids[i], job_ids[i], 1, 'JobSubmitted', ${parts.schemaVersion}, counter_accounts[account_counters[i]],
           counter_deployments[account_counters[i]], 0, false, instant, correlations[i],
           substring(bytes from starts[i] + 32 for data_lengths[i]), 'queued', traceparents[i]
    from generate_series(1, cardinality(job_ids)) i where verdicts[i] = 'created';
  -- In one order: batches of different deployments may hold the same workflows.
  insert into jobs.workflow (hash, bytes)
    select distinct on (1) substring(bytes from starts[i] for 32),
           substring(bytes from starts[i] + 32 + data_lengths[i] for workflow_lengths[i])
    from generate_series(1, cardinality(job_ids)) i where verdicts[i] = 'created' order by 1
    on conflict do nothing;
  insert into jobs.job (id, account_id, deployment_id, status, version, fence, created_at, updated_at, expires_at,
                        workflow_hash, idempotency_key, metadata, labels)
    select job_ids[i], counter_accounts[account_counters[i]], counter_deployments[account_counters[i]],
           'queued', 1, 0, instant, instant, instant + ${parts.retention} * interval '1 millisecond',
           substring(bytes from starts[i] for 32), claims[i], metadatas[i]::json, string_to_array(label_lists[i], E'\\x1f')
    from generate_series(1, cardinality(job_ids)) i where verdicts[i] = 'created';
  insert into jobs.queue (job_id, account_id, deployment_id, state, version, fence, not_before, queue_deadline${parts.queueColumn})
    select job_ids[i], counter_accounts[account_counters[i]], counter_deployments[account_counters[i]],
           'queued', 1, 0, instant, instant + wait_ms * interval '1 millisecond'${parts.queueValue}
    from generate_series(1, cardinality(job_ids)) i where verdicts[i] = 'created';
  for n in 1 .. cardinality(counter_accounts) loop
    update jobs.queue_depth d set waiting = depths[n], ${NEXT_GENERATION}
      where d.deployment_id = counter_deployments[n] and d.account_id = counter_accounts[n]
        and d.generation = generations[n] and d.waiting <> depths[n];
  end loop;${parts.writeLedger}
end $$;
`;
}
