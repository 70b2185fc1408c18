/** Null where an end is unknown: `greatest` would take the 0 there. */
const MS = (from: string, to: string): string => {
  const ms = `date_diff('millisecond', ${from}, ${to})`;
  return `case when ${ms} < 0 then 0 else ${ms} end`;
};

/** The next mark behind a lease, by version, is what ended it. */
const attempts = `
with marks as (
  select job_id, version, type, fence, recorded_at, data, lead(type) over w as next_type,
         lead(recorded_at) over w as next_at, lead(data) over w as next_data
    from events where type in ('JobLeased', 'LeaseLost', 'JobSucceeded', 'JobFailed', 'JobCanceled')
  window w as (partition by job_id order by version))
select job_id, (data->>'$.attempt')::integer as attempt, coalesce((data->>'$.fence')::bigint, fence) as fence,
       data->>'$.workerId' as worker_id, data->>'$.environment' as environment, recorded_at as leased_at,
       next_at as ended_at, ${MS('recorded_at', 'next_at')} as run_ms,
       case next_type
         when 'LeaseLost' then case when next_data is null then null
                              when next_data->>'$.reason' = 'handed_back' then 'handed_back' else 'lost' end
         when 'JobSucceeded' then 'succeeded' when 'JobFailed' then 'failed' when 'JobCanceled' then 'canceled'
       end as ended_by,
       case when next_type = 'LeaseLost' then (next_data->>'$.attemptSpent')::boolean when next_type is not null then true end as spent
  from marks where type = 'JobLeased'`;

const nodeRuns = `
with runs as (
  select job_id, fence, version, data->>'$.nodeId' as node_id, data->>'$.classType' as class_type,
         (data->>'$.startedAt')::timestamptz as started_at, (data->>'$.endedAt')::timestamptz as ended_at,
         (data->>'$.cached')::boolean as cached
    from events where type = 'NodeFinished')
select r.job_id, r.fence, a.attempt, row_number() over w as position, r.node_id, r.class_type, r.started_at, r.ended_at,
       ${MS('r.started_at', 'r.ended_at')} as run_ms,
       ${MS('greatest(a.leased_at, max(r.ended_at) over (w rows between unbounded preceding and 1 preceding))', 'r.started_at')} as wait_ms,
       r.cached
  from runs r left join attempts a on a.job_id = r.job_id and a.fence = r.fence
window w as (partition by r.job_id, r.fence order by r.version)`;

const outputs = `
select job_id, row_number() over (partition by job_id order by version) - 1 as ordinal, fence,
       data->>'$.nodeId' as node_id, data->>'$.key' as key, data->>'$.name' as name, data->>'$.type' as type,
       data->>'$.contentType' as content_type, (data->>'$.sizeBytes')::bigint as size_bytes,
       data->>'$.assetId' as asset_id, data->>'$.hash' as hash, recorded_at as committed_at
  from events where type = 'OutputCommitted'`;

/** Of a purged job, what its payloads said is null. */
const jobs = `
with facts as (
  select job_id, any_value(account_id) as account_id, any_value(deployment_id) as deployment_id,
         arg_max(case type when 'JobSubmitted' then 'queued' when 'JobLeased' then 'running' when 'LeaseLost' then 'queued'
                           when 'CancelRequested' then 'canceling' when 'JobSucceeded' then 'succeeded'
                           when 'JobFailed' then 'failed' when 'JobCanceled' then 'canceled' when 'JobExpired' then 'expired' end, version)
           filter (type not in ('NodeFinished', 'OutputCommitted', 'LogCaptured', 'JobPurged')) as status,
         min(recorded_at) filter (type = 'JobSubmitted') as submitted_at,
         min(recorded_at) filter (type = 'JobLeased') as started_at,
         max(recorded_at) filter (is_terminal) as completed_at,
         count(*) filter (type = 'JobLeased') as attempts,
         count(*) filter (type = 'OutputCommitted') as outputs,
         case when count(*) filter (type = 'OutputCommitted' and data is null) = 0
              then coalesce(sum((data->>'$.sizeBytes')::bigint) filter (type = 'OutputCommitted'), 0)::bigint end as output_bytes,
         any_value(data) filter (type = 'JobSubmitted') as submission,
         any_value(data) filter (type = 'JobFailed') as failure,
         max(recorded_at) filter (type = 'JobPurged') as purged_at
    from events group by job_id)
select job_id, account_id, deployment_id, status, submission->>'$.surface' as surface, submitted_at, started_at, completed_at,
       case when started_at is not null then ${MS('submitted_at', 'started_at')} end as queue_ms,
       case when started_at is not null and completed_at is not null then ${MS('started_at', 'completed_at')} end as execution_ms,
       attempts, (submission->>'$.nodesTotal')::integer as nodes_total, outputs, output_bytes,
       failure->>'$.error.code' as error_code, failure->>'$.error.nodeId' as error_node_id,
       failure->>'$.error.classType' as error_class_type,
       (submission->'$.metadata')::map(varchar, varchar) as labels, purged_at
  from facts`;

const workers = `
select worker_id, environment, min(leased_at) as first_seen, max(coalesce(ended_at, leased_at)) as last_seen,
       count(*) as attempts, count(distinct job_id) as jobs, coalesce(sum(run_ms), 0)::bigint as busy_ms,
       count(*) filter (ended_by = 'lost') as lost
  from attempts group by worker_id, environment`;

/** A submission counts on its day; an end, its times and outputs on the day of the end. */
const accountsDaily = `
with days as (
  select account_id, deployment_id, submitted_at::date as dt, 1 as submitted, null as status, 0 as queue_ms, 0 as run_ms,
         0 as outputs, 0 as output_bytes from jobs where submitted_at is not null
  union all
  select account_id, deployment_id, completed_at::date, 0, status, coalesce(queue_ms, 0), coalesce(execution_ms, 0),
         outputs, output_bytes from jobs where completed_at is not null)
select account_id, deployment_id, dt, sum(submitted)::bigint as submitted,
       count(*) filter (status = 'succeeded') as succeeded, count(*) filter (status = 'failed') as failed,
       count(*) filter (status = 'canceled') as canceled, count(*) filter (status = 'expired') as expired,
       sum(queue_ms)::bigint as queue_ms, sum(run_ms)::bigint as run_ms, sum(outputs)::bigint as outputs,
       coalesce(sum(output_bytes), 0)::bigint as output_bytes
  from days group by account_id, deployment_id, dt`;

/** Relations over `events`, in the order in which each sees those before it. */
export const RELATIONS: readonly (readonly [name: string, sql: string])[] = [
  ['attempts', attempts],
  ['node_runs', nodeRuns],
  ['outputs', outputs],
  ['jobs', jobs],
  ['workers', workers],
  ['accounts_daily', accountsDaily],
];
