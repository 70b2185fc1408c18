import { newestCounterSql, NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/**
 * Commits leases of queued jobs, usually one: a worker waits for it, so each statement serves one item and is cheap to
 * start. The guarantees are those of `commitChangesSql`: a job whose version has changed is missing from `committed`,
 * and locks are taken in one order, queue rows by job, then counters by deployment and account.
 *
 * `counter_*` have one element per counter, all other arrays one per lease.
 */
export const leaseJobsSql = `
create or replace function jobs.lease_jobs(
  lease_ms bigint, schema_version smallint, bytes bytea,
  counter_deployments uuid[], counter_accounts uuid[], account_counters int[], deployment_counters int[],
  job_ids uuid[], expected int[], next_versions int[], fences int[], workers text[], runtimes_ms bigint[],
  correlations text[], traceparents text[],
  event_ids uuid[], types text[], statuses text[], starts int[], lengths int[],
  out now_ms bigint, out committed uuid[])
language plpgsql as $$
declare
  instant constant timestamptz := heddle.clock_now_ms();
  leases int[] := array_fill(0, array[cardinality(counter_accounts)]);
begin
  now_ms := extract(epoch from instant) * 1000;
  for i in 1 .. cardinality(job_ids) loop
    update jobs.queue q set
      version = next_versions[i], fence = fences[i], state = 'leased', worker_id = workers[i],
      lease_until = instant + lease_ms * interval '1 millisecond',
      attempt_deadline = instant + runtimes_ms[i] * interval '1 millisecond', queue_deadline = null
      where q.job_id = job_ids[i] and q.version = expected[i];
    continue when not found;
    insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                            worker_seq, is_terminal, recorded_at, correlation_id, data, status, traceparent)
      values (event_ids[i], job_ids[i], next_versions[i], types[i], schema_version, counter_accounts[account_counters[i]],
              counter_deployments[account_counters[i]], fences[i], null, false, instant, correlations[i],
              substring(bytes from starts[i] for lengths[i]), statuses[i], traceparents[i]);
    update jobs.job j set
      status = statuses[i], version = next_versions[i], fence = fences[i], updated_at = instant,
      started_at = coalesce(j.started_at, instant)
      where j.id = job_ids[i];
    committed := committed || job_ids[i];
    leases[account_counters[i]] := leases[account_counters[i]] + 1;
    leases[deployment_counters[i]] := leases[deployment_counters[i]] + 1;
  end loop;
  for n in 1 .. cardinality(leases) loop
    continue when leases[n] = 0;
    -- The counter of a whole deployment counts who waits, not who runs.
    update jobs.queue_depth d set
      waiting = d.waiting - leases[n],
      running = d.running + case when d.account_id = '${WHOLE_DEPLOYMENT}' then 0 else leases[n] end,
      served_at = case when d.account_id = '${WHOLE_DEPLOYMENT}' then d.served_at else instant end,
      ${NEXT_GENERATION}
      where ${newestCounterSql('counter_deployments[n]', 'counter_accounts[n]')};
  end loop;
end $$;
`;
