import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

export interface CommittedRow {
  readonly item: string;
  /** Epoch milliseconds: `recorded_at` of every event of the batch. */
  readonly now: string;
}

/** Which parts a batch needs; each combination is a prepared statement of its own. */
export interface CommitParts {
  readonly outputs: boolean;
  /** Some queue rows stay. */
  readonly moves: boolean;
  /** Some queue rows go. */
  readonly ends: boolean;
  /** Some jobs begin or cease to wait or run. */
  readonly counts: boolean;
}

const statements = new Map<string, { readonly name: string; readonly text: string }>();

export function commitStatement(parts: CommitParts): { readonly name: string; readonly text: string } {
  const kinds = (['outputs', 'moves', 'ends', 'counts'] as const).filter((part) => parts[part]);
  const name = `commit-job-events:${kinds.join('+')}`;
  const known = statements.get(name) ?? { name, text: commitSql(parts) };
  statements.set(name, known);
  return known;
}

/**
 * Every change of jobs that exist, for a batch of them. A job whose version moved on drops out of `locked` and thereby
 * out of the answer: nothing of it is written, and its handler decides again (docs/decisions/0002). Locks are taken in one
 * order: queue rows, then counters.
 */
function commitSql(parts: CommitParts): string {
  const ctes = [
    changesSql,
    parts.outputs ? outputsSql : null,
    parts.moves ? movesSql : null,
    parts.ends ? endsSql : null,
    parts.counts ? countsSql : null,
  ];
  return `with ${ctes.filter((cte) => cte !== null).join(',')}
select item, (extract(epoch from now) * 1000)::bigint as now from locked`;
}

/** Events of an item are elements event_from to event_to of the arrays of events. */
const changesSql = `
item as materialized (
  select * from unnest(
    $1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::int[], $16::int[]
  ) with ordinality as i(
    job_id, expected, status, version, fence, progress, error, change, worker_id,
    runtime_ms, wait_ms, delay_ms, correlation, traceparent, event_from, event_to, item
  )
),
clock as materialized (
  select heddle.clock_now_ms() as now, $28::bigint as lease_ms, $29::bigint as cancel_ms
),
locked as materialized (
  select i.*, c.*, q.account_id, q.deployment_id, q.state as was
  from item i join jobs.queue q on q.job_id = i.job_id and q.version = i.expected, clock c
  order by q.job_id
  for update of q
),
appended as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          worker_seq, is_terminal, recorded_at, correlation_id, data, status, traceparent)
  select ($18::uuid[])[n], l.job_id, ($19::int[])[n], ($20::text[])[n], $17::smallint, l.account_id, l.deployment_id,
         ($21::int[])[n], nullif(($22::bigint[])[n], 0), ($23::boolean[])[n], l.now, l.correlation,
         substring($27::bytea from ($24::int[])[n] for ($25::int[])[n]), ($26::text[])[n], l.traceparent
  from locked l, generate_series(l.event_from, l.event_to) n
),
shown as (
  update jobs.job j set
    status = l.status, version = l.version, fence = l.fence, updated_at = l.now,
    started_at = case when l.change = 'lease' then coalesce(j.started_at, l.now) else j.started_at end,
    completed_at = case when l.change = 'end' then l.now end,
    progress = coalesce(l.progress::json, j.progress),
    error = l.error::json
  from locked l
  where j.id = l.job_id
)`;

const outputsSql = `
put_out as (
  insert into jobs.job_output (job_id, ordinal, key, output)
  select l.job_id, o.ordinal, substring($27::bytea from o.key_at for o.key_length), o.output::json
  from unnest($30::bigint[], $31::int[], $32::int[], $33::int[], $34::text[]) as o(item, ordinal, key_at, key_length, output)
  join locked l on l.item = o.item
)`;

const movesSql = `
moved as (
  update jobs.queue q set
    version = l.version, fence = l.fence,
    state = case l.change when 'lease' then 'leased' when 'cancel' then 'canceling' when 'requeue' then 'queued'
                          else q.state end,
    worker_id = case l.change when 'lease' then l.worker_id when 'requeue' then null else q.worker_id end,
    lease_until = case l.change when 'lease' then l.now + l.lease_ms * interval '1 millisecond'
                                when 'requeue' then null else q.lease_until end,
    attempt_deadline = case l.change when 'lease' then l.now + l.runtime_ms * interval '1 millisecond'
                                     when 'requeue' then null else q.attempt_deadline end,
    cancel_deadline = case l.change when 'cancel' then l.now + l.cancel_ms * interval '1 millisecond'
                                    else q.cancel_deadline end,
    queue_deadline = case l.change when 'requeue' then l.now + l.wait_ms * interval '1 millisecond'
                                   when 'lease' then null else q.queue_deadline end,
    not_before = case l.change when 'requeue' then l.now + l.delay_ms * interval '1 millisecond'
                               else q.not_before end
  from locked l
  where q.job_id = l.job_id and l.change <> 'end'
)`;

const endsSql = `
gone as (
  delete from jobs.queue q using locked l where q.job_id = l.job_id and l.change = 'end'
)`;

/** The counters are locked in their order before any of them is changed. */
const countsSql = `
by_account as materialized (
  select deployment_id, account_id, max(now) as now, bool_or(change = 'lease') as leases,
         sum((change = 'requeue')::int - (was = 'queued' and change in ('lease', 'end'))::int)::int as waiting,
         sum((change = 'lease')::int - (was <> 'queued' and change in ('requeue', 'end'))::int)::int as running
  from locked
  group by deployment_id, account_id
),
step as materialized (
  select * from by_account where waiting <> 0 or running <> 0 or leases
  union all
  select deployment_id, '${WHOLE_DEPLOYMENT}'::uuid, max(now), false, sum(waiting)::int, 0
  from by_account group by deployment_id having sum(waiting) <> 0
),
depth as materialized (
  select d.account_id
  from jobs.queue_depth d join step s on s.deployment_id = d.deployment_id and s.account_id = d.account_id
  order by d.deployment_id, d.account_id
  for no key update of d
),
counted as (
  update jobs.queue_depth d set
    waiting = d.waiting + s.waiting, running = d.running + s.running,
    served_at = case when s.leases then s.now else d.served_at end
  from step s
  where d.deployment_id = s.deployment_id and d.account_id = s.account_id and (select count(*) from depth) > 0
)`;
