import type { CreatedDeployment } from '@heddle/deployments-domain';

export interface StateRow {
  readonly deployment_id: string;
  readonly state: CreatedDeployment;
  readonly now: string;
}

const NOW = `to_char(heddle.clock_now_ms() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const ROW = `deployment_id, state, ${NOW} as now`;

export const lockByNameSql = `select ${ROW} from deployments.deployment where label = $1 and stage = $2 for update`;
export const lockByIdSql = `select ${ROW} from deployments.deployment where deployment_id = $1 for update`;
export const findByNameSql = `select ${ROW} from deployments.deployment where label = $1 and stage = $2`;
/** Deployments that are not deleted; only whole lists are read so. */
export const liveSql = `select ${ROW} from deployments.deployment where status <> 'deleted' order by label, stage`;
export const clockSql = `select ${NOW} as now`;

/**
 * Rows of transactions from $1 on, and the transaction from which to ask next: every one before it is over and was seen.
 * Nothing is missed, whatever the order of commits; rows beside an open transaction come again.
 */
export const changedSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as next, ${NOW} as now, d.deployment_id, d.state
from (select) as one left join deployments.deployment d on d.changed >= $1::xid8 and ($2 or d.status <> 'deleted')`;

export interface ChangedRow {
  readonly next: string;
  readonly now: string;
  readonly deployment_id: string | null;
  readonly state: CreatedDeployment | null;
}

/** No row: the name is taken. */
export const insertSql = `
insert into deployments.deployment (deployment_id, label, stage, status, version, state)
values ($1, $2, $3, $4, $5, $6) on conflict (label, stage) do nothing returning 1`;

export const updateSql = `
update deployments.deployment set status = $2, version = $3, state = $4, changed = pg_current_xact_id()
where deployment_id = $1`;

/** $4: JSON lines of the payloads, as bytes. */
export const appendSql = `
insert into deployments.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, is_terminal, recorded_at, data, status)
select gen_random_uuid(), $1, $2::int + n.at::int, n.type, $5, $6, $1, n.type = 'DeploymentDeleted', $7::timestamptz, n.data, n.status
from unnest($3::text[], $4::bytea[], $8::text[]) with ordinality as n (type, data, status, at)`;
