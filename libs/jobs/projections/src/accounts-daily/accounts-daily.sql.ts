import { projectionTablesSql } from '../consume-topic/projection-tables.sql.js';

export const ACCOUNTS_DAILY_SCHEMA = 'accounts_daily';

/** The projection and its place, in a schema of its own. `role` is the consumer's. */
export function accountsDailySql(role: string): string {
  return `
create schema ${ACCOUNTS_DAILY_SCHEMA};
grant usage on schema ${ACCOUNTS_DAILY_SCHEMA} to ${role};
${projectionTablesSql(ACCOUNTS_DAILY_SCHEMA, role)}
create table ${ACCOUNTS_DAILY_SCHEMA}.accounts_daily (
  account_id uuid not null,
  deployment_id uuid not null,
  dt date not null,
  submitted bigint not null,
  succeeded bigint not null,
  failed bigint not null,
  canceled bigint not null,
  expired bigint not null,
  queue_ms bigint not null,
  run_ms bigint not null,
  outputs bigint not null,
  output_bytes bigint not null,
  primary key (account_id, deployment_id, dt)
);
-- Jobs that have not ended.
create table ${ACCOUNTS_DAILY_SCHEMA}.open_job (
  job_id uuid primary key,
  submitted_at timestamptz(3) not null,
  started_at timestamptz(3),
  outputs bigint not null,
  -- Null if an output was purged before it was read.
  output_bytes bigint
);
grant select, insert, update, delete on ${ACCOUNTS_DAILY_SCHEMA}.accounts_daily, ${ACCOUNTS_DAILY_SCHEMA}.open_job to ${role};
`;
}

export interface OpenJobRow {
  readonly job_id: string;
  readonly submitted_at: string;
  readonly started_at: string | null;
  readonly outputs: number;
  readonly output_bytes: number | null;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

export const openJobs = {
  name: 'accounts_daily.open_jobs',
  text: `
select job_id, to_char(submitted_at at time zone 'UTC', ${ISO}) as submitted_at,
       to_char(started_at at time zone 'UTC', ${ISO}) as started_at, outputs::float8 as outputs, output_bytes::float8 as output_bytes
  from ${ACCOUNTS_DAILY_SCHEMA}.open_job where job_id = any($1::uuid[])`,
};

export const keepJobs = {
  name: 'accounts_daily.keep_jobs',
  text: `
insert into ${ACCOUNTS_DAILY_SCHEMA}.open_job as j (job_id, submitted_at, started_at, outputs, output_bytes)
  select * from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[])
  on conflict (job_id) do update
    set started_at = excluded.started_at, outputs = excluded.outputs, output_bytes = excluded.output_bytes`,
};

export const endJobs = {
  name: 'accounts_daily.end_jobs',
  text: `delete from ${ACCOUNTS_DAILY_SCHEMA}.open_job where job_id = any($1::uuid[])`,
};

/** The counted columns, in the order of `addDays`. */
export const COUNTS = [
  'submitted',
  'succeeded',
  'failed',
  'canceled',
  'expired',
  'queue_ms',
  'run_ms',
  'outputs',
  'output_bytes',
] as const;

export const addDays = {
  name: 'accounts_daily.add_days',
  text: `
insert into ${ACCOUNTS_DAILY_SCHEMA}.accounts_daily as d (account_id, deployment_id, dt, ${COUNTS.join(', ')})
  select * from unnest($1::uuid[], $2::uuid[], $3::date[], ${COUNTS.map((_, at) => `$${at + 4}::bigint[]`).join(', ')})
  on conflict (account_id, deployment_id, dt) do update
    set ${COUNTS.map((name) => `${name} = d.${name} + excluded.${name}`).join(', ')}`,
};
