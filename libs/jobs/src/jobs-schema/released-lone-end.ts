/** Frozen as released; kept for processes of the previous build, like `released-lone-writes.ts`. */
export const loneEndSql = `
-- Nothing, and null, where the queue row's version moved on.
create function jobs.end_job(
  job uuid, expected int, next int, new_fence int, new_status text, new_progress text, new_error text, correlation text,
  schema_version smallint, event_ids uuid[], versions int[], types text[], sequences bigint[], starts int[], lengths int[],
  bytes bytea, ordinals int[], key_starts int[], key_lengths int[], outputs text[])
returns bigint language plpgsql as $$
declare
  instant constant timestamptz := heddle.clock_now_ms();
  last constant int := cardinality(event_ids);
  account uuid;
  deployment uuid;
begin
  delete from jobs.queue q
    where q.job_id = job and q.version = expected and q.state <> 'queued'
    returning q.account_id, q.deployment_id into account, deployment;
  if not found then return null; end if;
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          worker_seq, is_terminal, recorded_at, correlation_id, data)
    select event_ids[n], job, versions[n], types[n], schema_version, account, deployment, new_fence,
           nullif(sequences[n], 0), n = last, instant, correlation, substring(bytes from starts[n] for lengths[n])
    from generate_series(1, last) n;
  if cardinality(outputs) > 0 then
    insert into jobs.job_output (job_id, ordinal, key, output)
      select job, ordinals[n], substring(bytes from key_starts[n] for key_lengths[n]), outputs[n]::json
      from generate_series(1, cardinality(outputs)) n;
  end if;
  update jobs.job j set
    status = new_status, version = next, fence = new_fence, updated_at = instant, completed_at = instant,
    progress = coalesce(new_progress::json, j.progress), error = new_error::json
    where j.id = job;
  update jobs.queue_depth d set running = d.running - 1
    where d.deployment_id = deployment and d.account_id = account;
  return extract(epoch from instant) * 1000;
end $$;
`;
