export interface FoldedRow {
  readonly job_id: string;
  readonly version: number;
  readonly status: string;
}

export interface EarlyRow {
  readonly seq: string;
  readonly event_id: string;
  readonly status: string | null;
  readonly message: unknown;
}

/** Statements on the versions of one projection's jobs. */
export interface VersionSql {
  readonly folded: string;
  readonly early: string;
  readonly fold: string;
  readonly remove: string;
  readonly keep: string;
  readonly release: string;
  readonly abandon: string;
}

export function versionSql(schema: string): VersionSql {
  return {
    folded: `select job_id, version, status from ${schema}.folded_job where job_id = any($1::uuid[])`,
    early: `select seq, event_id, status, message from ${schema}.early_message where job_id = any($1::uuid[])`,
    fold: `
insert into ${schema}.folded_job as f (job_id, version, status)
  select * from unnest($1::uuid[], $2::int[], $3::text[])
  on conflict (job_id) do update set version = excluded.version, status = excluded.status`,
    remove: `delete from ${schema}.folded_job where job_id = any($1::uuid[])`,
    keep: `
insert into ${schema}.early_message (job_id, version, seq, event_id, status, message)
  select * from unnest($1::uuid[], $2::int[], $3::bigint[], $4::uuid[], $5::text[], $6::json[])
  on conflict (job_id, version) do nothing`,
    release: `
delete from ${schema}.early_message e using unnest($1::uuid[], $2::int[]) as r (job_id, version)
  where e.job_id = r.job_id and e.version = r.version`,
    abandon: `delete from ${schema}.early_message where seq <= $1::bigint`,
  };
}
