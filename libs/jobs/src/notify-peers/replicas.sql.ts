/** Another replica of the jobs service that is not known to be gone. */
export interface Replica {
  readonly id: string;
  /** Address of its internal port. */
  readonly address: string;
  /** The log format that it reads. */
  readonly reads: number;
}

export interface ReplicaRow extends Replica {
  readonly beat: string;
}

/** Maximum rows of one look; a jobs service has a handful of replicas. */
const MAX_ROWS = 200;

/** A heartbeat of replica $1 at address $2, and the other replicas. A previous replica at this address is gone. */
export const heartbeatSql = `
with off as materialized (select set_config('synchronous_commit', 'off', true)),
beat as (
  insert into jobs.replica as r (id, address, reads) select $1::uuid, $2::text, $3::int from off
  on conflict (id) do update set beat = r.beat + 1, address = excluded.address, reads = excluded.reads, seen_at = heddle.clock_now_ms()
),
before as (delete from jobs.replica where address = $2::text and id <> $1::uuid)
select id, address, reads, beat from jobs.replica where id <> $1::uuid and address <> $2::text order by started_at desc limit ${MAX_ROWS}`;

export const removeReplicasSql = 'delete from jobs.replica where id = any($1::uuid[])';
