/** A pool that lost its last worker keeps its row, and the time at which it was seen last. */
export const presenceSql = `
with given as (
  select * from unnest($2::uuid[], $3::int[], $4::int[]) as g (deployment_id, revision, workers)
), gone as (
  update deployments.pool p set workers = 0
  where replica_id = $1 and workers > 0
    and not exists (select from given g where (g.deployment_id, g.revision) = (p.deployment_id, p.revision))
)
insert into deployments.pool (replica_id, deployment_id, revision, workers, seen_at)
select $1, deployment_id, revision, workers, heddle.clock_now_ms() from given order by deployment_id, revision
on conflict (deployment_id, revision, replica_id) do update set workers = excluded.workers, seen_at = excluded.seen_at`;

export const removeOldSql = `delete from deployments.pool where seen_at < heddle.clock_now() - interval '1 day'`;

export interface PresenceRow {
  readonly deployment_id: string;
  readonly revision: number;
  readonly workers: number;
  readonly silent_ms: number;
}

/** $1: the workers of a replica that has not written for so many milliseconds are gone. */
export const presentSql = `
select deployment_id, revision,
  coalesce(sum(workers) filter (where seen_at > heddle.clock_now() - $1 * interval '1 millisecond'), 0)::int as workers,
  (extract(epoch from heddle.clock_now() - max(seen_at)) * 1000)::float8 as silent_ms
from deployments.pool group by deployment_id, revision`;
