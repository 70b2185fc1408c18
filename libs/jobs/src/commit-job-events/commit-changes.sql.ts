import { newestCounterSql, NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';

/**
 * Commits changes of existing jobs other than leases (`leaseJobsSql`), in batches of any size. A job whose version has
 * changed is missing from `committed`: nothing of it is written, and its handler decides again (docs/decisions/0002).
 * Locks are taken in the caller's order: queue rows by job, then counters by deployment and account. The counter of a
 * whole deployment counts waiting jobs, not running ones.
 *
 * Arrays from `account_counters` to `last_events` have one element per item, those from `event_ids` to `event_statuses`
 * one per event, the last five one per new output.
 */
export const commitChangesSql = changesSql('commit_changes', 'schema_version smallint', 'schema_version');

/** The same with a schema version for each event, for batches with an event of another version than the first. */
export const commitVersionedSql = changesSql('commit_versioned', 'schema_versions smallint[]', 'schema_versions[n]');

function changesSql(name: string, input: string, version: string): string {
  return `
create or replace function jobs.${name}(
  cancel_ms bigint, ${input}, bytes bytea,
  counter_deployments uuid[], counter_accounts uuid[],
  account_counters int[], deployment_counters int[], job_ids uuid[], expected int[], statuses text[], next_versions int[],
  fences int[], progresses text[], errors text[], changes text[], waits_ms bigint[], delays_ms bigint[], correlations text[], traceparents text[], waiting_steps int[], running_steps int[],
  first_events int[], last_events int[],
  event_ids uuid[], versions int[], types text[], event_fences int[], sequences bigint[], terminals boolean[],
  starts int[], lengths int[], event_statuses text[],
  output_items int[], ordinals int[], key_starts int[], key_lengths int[], outputs text[],
  out now_ms bigint, out committed uuid[])
language plpgsql
-- The queue is small, but what cannot be pruned of it may be large: no plan may walk it.
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  instant constant timestamptz := heddle.clock_now_ms();
  places int[];
  step record;
begin
  now_ms := extract(epoch from instant) * 1000;
  select array_agg(l.n), array_agg(l.job_id) into places, committed
    from (
      select i.n::int, q.job_id
      from unnest(job_ids, expected) with ordinality as i(job_id, version, n)
      cross join lateral (
        select w.job_id from jobs.queue w where w.job_id = i.job_id and w.version = i.version limit 1 for update
      ) q
    ) l;
  if committed is null then return; end if;

  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          worker_seq, is_terminal, recorded_at, correlation_id, data, status, traceparent)
    select event_ids[n], job_ids[l.i], versions[n], types[n], ${version}, counter_accounts[account_counters[l.i]],
           counter_deployments[account_counters[l.i]], event_fences[n], nullif(sequences[n], 0), terminals[n], instant,
           correlations[l.i], substring(bytes from starts[n] for lengths[n]), event_statuses[n], traceparents[l.i]
    from unnest(places) as l(i), generate_series(first_events[l.i], last_events[l.i]) n;
  if cardinality(outputs) > 0 then
    insert into jobs.job_output (job_id, ordinal, key, output)
      select job_ids[output_items[n]], ordinals[n], substring(bytes from key_starts[n] for key_lengths[n]), outputs[n]::json
      from generate_series(1, cardinality(outputs)) n where output_items[n] = any(places);
  end if;
  update jobs.job j set
    status = statuses[l.i], version = next_versions[l.i], fence = fences[l.i], updated_at = instant,
    completed_at = case when changes[l.i] = 'end' then instant end,
    progress = coalesce(progresses[l.i]::json, j.progress), error = errors[l.i]::json
    from unnest(places) as l(i)
    where j.id = job_ids[l.i];

  if 'end' = any(changes) then
    delete from jobs.queue q using unnest(places) as l(i) where q.job_id = job_ids[l.i] and changes[l.i] = 'end';
  end if;
  if 'end' <> any(changes) then
    update jobs.queue q set
      version = next_versions[l.i], fence = fences[l.i],
      state = case changes[l.i] when 'cancel' then 'canceling' when 'requeue' then 'queued' else q.state end,
      worker_id = case changes[l.i] when 'requeue' then null else q.worker_id end,
      lease_until = case changes[l.i] when 'requeue' then null else q.lease_until end,
      attempt_deadline = case changes[l.i] when 'requeue' then null else q.attempt_deadline end,
      cancel_deadline = case changes[l.i] when 'cancel' then instant + cancel_ms * interval '1 millisecond'
                                          else q.cancel_deadline end,
      queue_deadline = case changes[l.i] when 'requeue' then instant + waits_ms[l.i] * interval '1 millisecond'
                                         else q.queue_deadline end,
      not_before = case changes[l.i] when 'requeue' then instant + delays_ms[l.i] * interval '1 millisecond'
                                     else q.not_before end
      from unnest(places) as l(i)
      where q.job_id = job_ids[l.i] and changes[l.i] <> 'end';
  end if;

  for step in
    select c.place, sum(c.waiting)::int as waiting, sum(c.running)::int as running
    from unnest(places) as l(i), lateral (
      select account_counters[l.i], waiting_steps[l.i], running_steps[l.i]
      union all select deployment_counters[l.i], waiting_steps[l.i], 0
    ) as c(place, waiting, running)
    where c.waiting <> 0 or c.running <> 0
    group by c.place order by c.place
  loop
    update jobs.queue_depth d set
      waiting = d.waiting + step.waiting, running = d.running + step.running, ${NEXT_GENERATION}
      where ${newestCounterSql('counter_deployments[step.place]', 'counter_accounts[step.place]')};
  end loop;
end $$;
`;
}
