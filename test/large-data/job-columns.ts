import type { EVENT_COLUMNS } from '@heddle/platform-event-log';

// The one place that names the columns this tool fills: a column that a migration adds is a line here. The expressions
// read a planned job `j` (plan-jobs.sql.ts) and, for events, one of its events `e` (write-log.sql.ts).

type Columns = Readonly<Record<string, string>>;

const EVENT_VALUES: Readonly<Partial<Record<(typeof EVENT_COLUMNS)[number], string>>> = {
  event_id: 'pg_temp.uuid7(e.at, hashint8extended(j.a, e.version), hashint8extended(j.b, e.version))',
  stream_id: 'j.id',
  version: 'e.version',
  type: 'e.type',
  schema_version: '1',
  account_id: 'j.account_id',
  deployment_id: 'j.deployment_id',
  fence: 'e.fence',
  worker_seq: 'e.worker_seq',
  is_terminal: 'e.is_terminal',
  recorded_at: 'e.at',
  correlation_id: 'e.correlation_id',
  data: `convert_to(e.data, 'UTF8')`,
  status: 'e.status',
};

const JOB: Columns = {
  id: 'j.id',
  account_id: 'j.account_id',
  deployment_id: 'j.deployment_id',
  status: 'j.status',
  version: 'j.version',
  fence: 'j.fence',
  created_at: 'j.at',
  updated_at: 'coalesce(j.ended_at, j.asked_at, j.leased_at, j.at)',
  started_at: 'j.leased_at',
  completed_at: 'j.ended_at',
  final_status: 'case when j.ended_at is not null then j.status end',
  expires_at: 'j.expires_at',
  workflow_hash: 'j.workflow_hash',
  idempotency_key: 'j.key',
  metadata: 'j.metadata::json',
  labels: 'j.labels',
  progress: 'j.progress::json',
  error: 'j.error::json',
};

/** Of jobs that have not ended. The lease of one that runs is over: the service that gave it is gone. */
const QUEUE: Columns = {
  job_id: 'j.id',
  account_id: 'j.account_id',
  deployment_id: 'j.deployment_id',
  state: `case j.status when 'running' then 'leased' else j.status end`,
  version: 'j.version',
  fence: 'j.fence',
  started_fence: 'j.fence',
  not_before: 'j.at',
  queue_deadline: `case when j.status = 'queued' then j.at + interval '1 day' end`,
  worker_id: `case when j.status <> 'queued' then 'large-data' end`,
  lease_until: `j.leased_at + interval '30 seconds'`,
  attempt_deadline: `j.leased_at + interval '1 hour'`,
  cancel_deadline: `j.asked_at + interval '1 minute'`,
};

const OUTPUT: Columns = {
  job_id: 'j.id',
  ordinal: '0',
  key: `convert_to('2/images/0', 'UTF8')`,
  output: 'j.output::json',
};

const BLOB: Columns = {
  hash: 'j.bytes_hash',
  object_key: 'j.object_key',
  size_bytes: 'j.bytes_size',
  created_at: 'coalesce(j.ended_at, j.at)',
};

/** An output of a job, or an upload beside its submission. */
const ASSET: Columns = {
  id: 'j.asset_id',
  account_id: 'j.account_id',
  deployment_id: 'j.deployment_id',
  hash: 'j.bytes_hash',
  size_bytes: 'j.bytes_size',
  content_type: `'image/png'`,
  file_path: `case when j.output is null then 'photo-' || j.i || '.png' else 'x_00001_.png' end`,
  tags: `'{}'`,
  tag_set: `'{}'`,
  created_at: 'coalesce(j.ended_at, j.at)',
  expires_at: 'case when j.output is not null then j.expires_at end',
  job_id: 'case when j.output is not null then j.id end',
  fence: 'case when j.output is not null then j.fence end',
  output_key: `case when j.output is not null then convert_to('2/images/0', 'UTF8') end`,
  retained_until: 'case when j.output is not null then j.expires_at end',
  confirmed_at: 'case when j.output is not null then j.ended_at end',
};

const KEY: Columns = { account_id: 'j.account_id', key: 'j.key', job_id: 'j.id', claimed_at: 'j.at' };

const UPLOAD_KEY: Columns = {
  account_id: 'j.account_id',
  key: 'j.asset_id::text',
  asset_id: 'j.asset_id',
  claimed_at: 'j.at',
};

const IN_KEY_LIFE = `j.at > now() - interval '1 day'`;

/** Fills a table from the planned jobs that fit the condition. */
function fill(table: string, columns: Columns, condition: string): string {
  return `insert into ${table} (${Object.keys(columns).join(', ')})
    select ${Object.values(columns).join(', ')} from pg_temp.planned_job j where ${condition}`;
}

/** Where triggers run they have written these rows: then nothing is left to insert. */
const LABELS = `insert into jobs.job_label (job_id, label, account_id, deployment_id, created_at, final_status)
  select j.id, l, j.account_id, j.deployment_id, j.at, case when j.ended_at is not null then j.status end
  from pg_temp.planned_job j, unnest(j.labels) l on conflict do nothing`;

/** In the order of foreign keys. Events come first and by themselves (write-log.sql.ts). */
export const ROW_STATEMENTS: readonly string[] = [
  fill('jobs.job', JOB, 'true'),
  LABELS,
  fill('jobs.queue', QUEUE, 'j.ended_at is null'),
  fill('jobs.job_output', OUTPUT, 'j.output is not null'),
  fill('jobs.idempotency_key', KEY, `j.key is not null and ${IN_KEY_LIFE}`),
  fill('assets.blob', BLOB, 'j.asset_id is not null'),
  fill('assets.asset', ASSET, 'j.asset_id is not null'),
  fill('assets.idempotency_key', UPLOAD_KEY, `j.asset_id is not null and j.output is null and ${IN_KEY_LIFE}`),
];

export const EVENT_INSERT = `insert into jobs.event (${Object.keys(EVENT_VALUES).join(', ')})
  select ${Object.values(EVENT_VALUES).join(', ')}`;
