/** How long the workers that a replica had are kept, in the store and in memory: a longer silence counts as endless. */
export const KEPT_MS = 86_400_000;

/** Says that the replica $1 is there. `is_new`: nobody knows of its pools. */
export const aliveSql = `
insert into deployments.replica (replica_id, seen_at) values ($1, heddle.clock_now_ms())
on conflict (replica_id) do update set seen_at = excluded.seen_at returning (xmax = 0) as is_new`;

/** A pool that lost its last worker keeps its row, and the time at which it lost it. */
export const poolsSql = `
insert into deployments.pool (replica_id, deployment_id, revision, workers, seen_at, changed)
select $1, deployment_id, revision, workers, heddle.clock_now_ms(), pg_current_xact_id()
from unnest($2::uuid[], $3::int[], $4::int[]) as g (deployment_id, revision, workers) order by deployment_id, revision
on conflict (deployment_id, revision, replica_id) do update
set workers = excluded.workers, seen_at = excluded.seen_at, changed = excluded.changed`;

export const leaveSql = `
with gone as (
  update deployments.pool set workers = 0, seen_at = heddle.clock_now_ms(), changed = pg_current_xact_id()
  where replica_id = $1 and workers > 0
)
delete from deployments.replica where replica_id = $1`;

const OLD = `heddle.clock_now() - ${KEPT_MS} * interval '1 millisecond'`;

export const removeOldSql = `
with old as (delete from deployments.replica where seen_at < ${OLD} returning replica_id)
delete from deployments.pool p
where p.seen_at < ${OLD}
  and (p.workers = 0 or not exists (select from deployments.replica r where r.replica_id = p.replica_id)
    or p.replica_id in (select replica_id from old))`;

export interface PoolRow {
  readonly replica_id: string;
  readonly deployment_id: string;
  readonly revision: number;
  readonly workers: number;
  /** Milliseconds of the database since 1970. */
  readonly seen_at: number;
}

export interface ChangedPoolsRow extends Omit<PoolRow, 'replica_id'> {
  readonly next: string;
  readonly now: number;
  readonly replicas: Readonly<Record<string, number>> | null;
  readonly replica_id: string | null;
}

const milliseconds = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;

/** As `changedSql` of deployments: the pools of transactions from $1 on, and when each replica was there last. */
export const changedPoolsSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as next, ${milliseconds('heddle.clock_now()')} as now,
  (select json_object_agg(replica_id, ${milliseconds('seen_at')}) from deployments.replica) as replicas,
  p.replica_id, p.deployment_id, p.revision, p.workers, ${milliseconds('p.seen_at')} as seen_at
from (select) as one left join deployments.pool p on p.changed >= $1::xid8`;

/** Of the deployments $1. $2: the workers of a replica that was not there for so many milliseconds are gone. */
export const presentSql = `
select p.deployment_id, p.revision, sum(p.workers)::int as workers
from deployments.pool p join deployments.replica r using (replica_id)
where p.deployment_id = any($1::uuid[]) and r.seen_at > heddle.clock_now() - $2 * interval '1 millisecond'
group by p.deployment_id, p.revision`;
