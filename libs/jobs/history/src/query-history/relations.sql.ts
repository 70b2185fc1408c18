import { relationSql, type IsWanted, type RelationColumn } from './relation.js';

/**
 * Null where an end is unknown: `greatest` would take the 0 there. `date_diff` goes by the calendar of a time zone, at 0.7 us
 * a row.
 */
const MS = (from: string, to: string): string => {
  const ms = `epoch_ms(${to}) - epoch_ms(${from})`;
  return `case when ${ms} < 0 then 0 else ${ms} end`;
};

/** Joins hold one side in memory: an id takes 16 bytes there, and 52 as text. */
const KEY = 'job_id::uuid as job';

const ENDS = `'JobSucceeded', 'JobFailed', 'JobCanceled', 'JobExpired'`;
const STATUS = `case type when 'JobSucceeded' then 'succeeded' when 'JobFailed' then 'failed' when 'JobCanceled' then 'canceled'
                          when 'JobExpired' then 'expired' end`;

/** The end of each job. Two conditions, so that the engine expects fewer of them than of jobs and keeps these in memory. */
const ENDED = `select ${KEY}, fence, ${STATUS} as status, recorded_at from events where is_terminal and type in (${ENDS})`;

/** What a lease has under its fence: at most one loss, before everything else, and at most one end of the job. */
const attempts = (isWanted: IsWanted): string =>
  relationSql(
    {
      columns: [
        ['job_id', 'l.job_id'],
        ['attempt', 'l.d_attempt'],
        ['fence', 'l.fence'],
        ['worker_id', 'l.d_worker_id'],
        ['environment', 'l.d_environment'],
        ['leased_at', 'l.recorded_at'],
        ['ended_at', 'coalesce(x.recorded_at, e.recorded_at)', 'lost', 'ended'],
        ['run_ms', MS('l.recorded_at', 'coalesce(x.recorded_at, e.recorded_at)'), 'lost', 'ended'],
        [
          'ended_by',
          `case when x.job is not null then case when x.d_reason = 'handed_back' then 'handed_back'
                                                 when x.d_reason is not null then 'lost' end
                else e.status end`,
          'lost',
          'ended',
        ],
        [
          'spent',
          `case when x.job is not null then x.d_attempt_spent when e.job is not null then true end`,
          'lost',
          'ended',
        ],
      ],
      from: `(select *, ${KEY} from events where type = 'JobLeased') l`,
      joins: {
        lost: `left join (select ${KEY}, fence, recorded_at, d_reason, d_attempt_spent from events where type = 'LeaseLost') x
                 on x.job = l.job and x.fence = l.fence`,
        ended: `left join (${ENDED}) e on e.job = l.job and e.fence = l.fence and e.status <> 'expired'`,
      },
    },
    isWanted,
  );

const plainRuns = `
select job_id, fence, version, d_node_id as node_id, d_class_type as class_type, d_started_at as started_at,
       d_ended_at as ended_at, d_cached as cached from events where type = 'NodeFinished'`;

/**
 * Node runs with what was before them in their attempt. Not by a window: the engine looks for one job's rows in the files
 * only below a grouping, also if the job is known by a join.
 */
const orderedRuns = `
select job_id, fence, attempt, leased_at, position, list_max(list_transform(runs[1:position - 1], lambda r: r.ended_at)) as before,
       run.node_id, run.class_type, run.started_at, run.ended_at, run.cached
  from (
    select job_id, fence, attempt, leased_at, runs, unnest(runs) as run, generate_subscripts(runs, 1) as position
      from (
        select job_id, fence, any_value(d_attempt) filter (type = 'JobLeased') as attempt,
               min(recorded_at) filter (type = 'JobLeased') as leased_at,
               list({version: version, node_id: d_node_id, class_type: d_class_type, started_at: d_started_at,
                     ended_at: d_ended_at, cached: d_cached} order by version) filter (type = 'NodeFinished') as runs
          from events where type in ('JobLeased', 'NodeFinished') group by job_id, fence))`;

const nodeRuns = (isWanted: IsWanted): string => {
  const isOrdered = ['attempt', 'position', 'wait_ms'].some(isWanted);
  const ordered: readonly RelationColumn[] = [
    ['attempt', 'r.attempt'],
    ['position', 'r.position'],
    ['wait_ms', MS('greatest(r.leased_at, r.before)', 'r.started_at')],
  ];
  const [attempt, position, wait] = isOrdered ? ordered.map((column) => [column]) : [[], [], []];
  return relationSql(
    {
      columns: [
        ['job_id', 'r.job_id'],
        ['fence', 'r.fence'],
        ...attempt!,
        ...position!,
        ['node_id', 'r.node_id'],
        ['class_type', 'r.class_type'],
        ['started_at', 'r.started_at'],
        ['ended_at', 'r.ended_at'],
        ['run_ms', MS('r.started_at', 'r.ended_at')],
        ...wait!,
        ['cached', 'r.cached'],
      ],
      from: `(${isOrdered ? orderedRuns : plainRuns}) r`,
    },
    isWanted,
  );
};

const outputs = (isWanted: IsWanted): string => {
  const field = (name: string, path: string): RelationColumn => [name, `data->>'$.${path}'`];
  return relationSql(
    {
      columns: [
        ['job_id', 'job_id'],
        ['ordinal', 'row_number() over (partition by job_id order by version) - 1'],
        ['fence', 'fence'],
        ['node_id', 'd_node_id'],
        field('key', 'key'),
        field('name', 'name'),
        field('type', 'type'),
        ['content_type', 'd_content_type'],
        ['size_bytes', 'd_size_bytes'],
        field('asset_id', 'assetId'),
        field('hash', 'hash'),
        ['committed_at', 'recorded_at'],
      ],
      from: `(select * from events where type = 'OutputCommitted')`,
    },
    isWanted,
  );
};

/** Of a purged job, what its payloads said is null. */
const jobs = (isWanted: IsWanted, isWhole: boolean): string =>
  relationSql(
    {
      columns: [
        ['job_id', 's.job_id'],
        ['account_id', 's.account_id'],
        ['deployment_id', 's.deployment_id'],
        [
          'status',
          `coalesce(e.status, o.status, case when s.submitted_at is not null then 'queued' end)`,
          'ended',
          'open',
        ],
        ['surface', 's.surface'],
        ['submitted_at', 's.submitted_at'],
        ['started_at', 'l.recorded_at', 'leased'],
        ['completed_at', 'e.recorded_at', 'ended'],
        ['queue_ms', MS('s.submitted_at', 'l.recorded_at'), 'leased'],
        ['execution_ms', MS('l.recorded_at', 'e.recorded_at'), 'leased', 'ended'],
        ['attempts', 'coalesce(e.fence, o.fence, 0)', 'ended', 'open'],
        ['nodes_total', 's.nodes_total'],
        ['outputs', 'coalesce(c.outputs, 0)', 'committed'],
        ['output_bytes', 'case when c.job is null then 0 else c.output_bytes end', 'committed'],
        ['error_code', 'f.d_error_code', 'failed'],
        ['error_node_id', 'f.d_node_id', 'failed'],
        ['error_class_type', 'f.d_class_type', 'failed'],
        ['labels', `(s.data->'$.metadata')::map(varchar, varchar)`],
        ['purged_at', 'p.purged_at', 'purged'],
      ],
      from: `(${isWhole ? submitted : seen}) s`,
      joins: {
        ended: `left join (${ENDED}) e on e.job = s.job`,
        leased: `left join (select ${KEY}, recorded_at from events where type = 'JobLeased' and fence = 1) l on l.job = s.job`,
        failed: `left join (select ${KEY}, d_error_code, d_node_id, d_class_type from events where type = 'JobFailed') f on f.job = s.job`,
        open: `left join open_jobs o on o.job = s.job`,
        committed: `left join (
          select ${KEY}, count(*) as outputs, case when count(d_size_bytes) = count(*) then sum(d_size_bytes)::bigint end as output_bytes
            from events where type = 'OutputCommitted' group by job) c on c.job = s.job`,
        purged: `left join (select ${KEY}, max(recorded_at) as purged_at from events where type = 'JobPurged' group by job) p on p.job = s.job`,
      },
    },
    isWanted,
  );

const submitted = `
select job_id, ${KEY}, account_id, deployment_id, recorded_at as submitted_at, d_surface as surface,
       d_nodes_total as nodes_total, data from events where type = 'JobSubmitted'`;

/** Jobs of a log that begins late: their submissions may be gone. */
const seen = `
select job_id, job_id::uuid as job, any_value(account_id) as account_id, any_value(deployment_id) as deployment_id,
       min(recorded_at) filter (type = 'JobSubmitted') as submitted_at,
       any_value(d_surface) filter (type = 'JobSubmitted') as surface,
       any_value(d_nodes_total) filter (type = 'JobSubmitted') as nodes_total,
       any_value(data) filter (type = 'JobSubmitted') as data
  from events group by job_id`;

/** Jobs without an end, as their last change of status left them. */
export const OPEN_JOBS = `
select job, max(fence) as fence,
       arg_max(case type when 'JobLeased' then 'running' when 'LeaseLost' then 'queued' else 'canceling' end, version) as status
  from (select ${KEY}, fence, type, version from events where type in ('JobLeased', 'LeaseLost', 'CancelRequested'))
  anti join (select ${KEY} from events where is_terminal and type in (${ENDS})) using (job)
 group by job`;

/** Whether each submission has its end: then there are none of them. */
export const ALL_ENDED = `
select (select count(*) from events where type = 'JobSubmitted') = (select count(*) from events where is_terminal and type in (${ENDS}))`;

const workers = (): string => `
select worker_id, environment, min(leased_at) as first_seen, max(coalesce(ended_at, leased_at)) as last_seen,
       count(*) as attempts, count(distinct job_id) as jobs, coalesce(sum(run_ms), 0)::bigint as busy_ms,
       count(*) filter (ended_by = 'lost') as lost
  from attempts group by worker_id, environment`;

/** A submission counts on its day; an end, its times and outputs on the day of the end. */
const accountsDaily = (): string => `
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

interface NamedRelation {
  readonly name: string;
  readonly sql: (isWanted: IsWanted, isWhole: boolean) => string;
  /** The relations and columns that its text names. */
  readonly uses: readonly string[];
}

/** Relations over `events`, in the order in which each sees those before it. */
export const RELATIONS: readonly NamedRelation[] = [
  { name: 'attempts', sql: attempts, uses: [] },
  { name: 'node_runs', sql: nodeRuns, uses: [] },
  { name: 'outputs', sql: outputs, uses: [] },
  { name: 'jobs', sql: jobs, uses: [] },
  { name: 'workers', sql: workers, uses: wordsOf(workers()) },
  { name: 'accounts_daily', sql: accountsDaily, uses: wordsOf(accountsDaily()) },
];

function wordsOf(sql: string): readonly string[] {
  return sql.match(/\w+/g) ?? [];
}
