/**
 * Only the newest (fence, sequence) of a job leased under that fence. The rows are locked, in one order, against the
 * end of their job, so that no snapshot outlives it. Losing the last ones in a crash is harmless, so the commit does
 * not wait for the disk.
 */
export const keepProgressSql = `
with settings as materialized (select set_config('synchronous_commit', 'off', true) as off),
item as materialized (
  select i.* from settings, unnest($1::uuid[], $2::int[], $3::bigint[], $4::float8[], $5::text[])
    as i(job_id, fence, sequence, value, snapshot)
),
live as materialized (
  select i.* from (select * from item order by job_id) i cross join lateral (
    select from jobs.queue q where q.job_id = i.job_id and q.fence = i.fence and q.state <> 'queued' limit 1 for key share) q
)
insert into jobs.job_progress as p (job_id, fence, sequence, value, snapshot)
select job_id, fence, sequence, value, snapshot::json from live order by job_id
on conflict (job_id) do update set fence = excluded.fence, sequence = excluded.sequence,
  value = greatest(p.value, excluded.value), snapshot = excluded.snapshot
where (p.fence, p.sequence) < (excluded.fence, excluded.sequence)`;

export const latestProgressSql = `select value, snapshot from jobs.job_progress where job_id = $1`;
