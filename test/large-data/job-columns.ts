import type { EVENT_COLUMNS } from '@heddle/platform-event-log';
import type { BinaryRows } from './binary-rows.ts';
import { uuidText } from './mixed-numbers.ts';
import { errorOf, OUTPUT_KEY, OUTPUT_PATH, outputOf, progressOf, WORKER } from './job-events.ts';
import type { PlannedEvent } from './job-events.ts';
import type { PlannedAsset, PlannedJob } from './plan-job.ts';

// All columns that this tool fills. A migration that adds a column adds a line here.

type Column<Row> = (to: BinaryRows, row: Row) => void;
type Columns<Row> = Readonly<Record<string, Column<Row>>>;

export interface Table<Row> {
  readonly name: string;
  readonly columns: readonly string[];
  readonly write: (to: BinaryRows, row: Row) => void;
}

/** A job with the asset that is its output or its input */
export interface JobAsset {
  readonly job: PlannedJob;
  readonly asset: PlannedAsset;
}

export interface JobLabel {
  readonly job: PlannedJob;
  readonly label: string;
}

const EVENT: Readonly<Partial<Record<(typeof EVENT_COLUMNS)[number], Column<PlannedEvent>>>> = {
  event_id: (to, e) => to.bytes(e.id),
  stream_id: (to, e) => to.bytes(e.job.id),
  version: (to, e) => to.int32(e.version),
  type: (to, e) => to.text(e.type),
  schema_version: (to, e) => to.int16(e.schemaVersion),
  account_id: (to, e) => to.bytes(e.job.accountId),
  deployment_id: (to, e) => to.bytes(e.job.deploymentId),
  fence: (to, e) => to.int64(e.fence),
  worker_seq: (to, e) => to.int64(e.workerSeq),
  is_terminal: (to, e) => to.flag(e.isTerminal),
  recorded_at: (to, e) => to.time(e.at),
  correlation_id: (to, e) => to.text(e.correlationId),
  data: (to, e) => to.text(e.data),
  status: (to, e) => to.text(e.status),
};

const JOB: Columns<PlannedJob> = {
  id: (to, j) => to.bytes(j.id),
  account_id: (to, j) => to.bytes(j.accountId),
  deployment_id: (to, j) => to.bytes(j.deploymentId),
  status: (to, j) => to.text(j.status),
  version: (to, j) => to.int32(j.version),
  fence: (to, j) => to.int32(j.fence),
  created_at: (to, j) => to.time(j.at),
  updated_at: (to, j) => to.time(j.endedAt ?? j.askedAt ?? j.leasedAt ?? j.at),
  started_at: (to, j) => to.time(j.leasedAt),
  completed_at: (to, j) => to.time(j.endedAt),
  final_status: (to, j) => to.text(finalStatus(j)),
  expires_at: (to, j) => to.time(j.expiresAt),
  workflow_hash: (to, j) => to.bytes(j.workflow.hash),
  idempotency_key: (to, j) => to.text(j.key),
  metadata: (to, j) => to.text(j.metadata),
  labels: (to, j) => to.texts(j.labels),
  progress: (to, j) => to.text(progressOf(j)),
  error: (to, j) => to.text(errorOf(j)),
};

const LABEL: Columns<JobLabel> = {
  job_id: (to, { job }) => to.bytes(job.id),
  label: (to, { label }) => to.text(label),
  account_id: (to, { job }) => to.bytes(job.accountId),
  deployment_id: (to, { job }) => to.bytes(job.deploymentId),
  created_at: (to, { job }) => to.time(job.at),
  final_status: (to, { job }) => to.text(finalStatus(job)),
};

const DAY_MS = 86_400_000;
const after = (at: number | null, ms: number): number | null => (at === null ? null : at + ms);

/** Queue rows of jobs that have not ended. Leases of running jobs have expired, because the service is gone. */
const QUEUE: Columns<PlannedJob> = {
  job_id: (to, j) => to.bytes(j.id),
  account_id: (to, j) => to.bytes(j.accountId),
  deployment_id: (to, j) => to.bytes(j.deploymentId),
  state: (to, j) => to.text(j.status === 'running' ? 'leased' : j.status),
  revision: (to, j) => to.int32(j.revision),
  version: (to, j) => to.int32(j.version),
  fence: (to, j) => to.int32(j.fence),
  started_fence: (to, j) => to.int32(j.fence),
  not_before: (to, j) => to.time(j.at),
  queue_deadline: (to, j) => to.time(j.status === 'queued' ? j.at + DAY_MS : null),
  worker_id: (to, j) => to.text(j.status === 'queued' ? null : WORKER),
  lease_until: (to, j) => to.time(after(j.leasedAt, 30_000)),
  attempt_deadline: (to, j) => to.time(after(j.leasedAt, 3_600_000)),
  cancel_deadline: (to, j) => to.time(after(j.askedAt, 60_000)),
};

const OUTPUT: Columns<PlannedJob> = {
  job_id: (to, j) => to.bytes(j.id),
  ordinal: (to) => to.int32(0),
  key: (to) => to.text(OUTPUT_KEY),
  output: (to, j) => to.text(outputOf(j)),
};

const KEY: Columns<PlannedJob> = {
  account_id: (to, j) => to.bytes(j.accountId),
  key: (to, j) => to.text(j.key),
  job_id: (to, j) => to.bytes(j.id),
  claimed_at: (to, j) => to.time(j.at),
};

const BLOB: Columns<JobAsset> = {
  hash: (to, { asset }) => to.text(asset.hash),
  object_key: (to, { asset }) => to.bytes(asset.objectKey),
  size_bytes: (to, { asset }) => to.int64(asset.sizeBytes),
  created_at: (to, { job }) => to.time(job.endedAt ?? job.at),
};

const ofOutput = <T>(job: PlannedJob, value: T): T | null => (job.hasOutput ? value : null);

const ASSET: Columns<JobAsset> = {
  id: (to, { asset }) => to.bytes(asset.id),
  account_id: (to, { job }) => to.bytes(job.accountId),
  deployment_id: (to, { job }) => to.bytes(job.deploymentId),
  hash: (to, { asset }) => to.text(asset.hash),
  size_bytes: (to, { asset }) => to.int64(asset.sizeBytes),
  content_type: (to) => to.text('image/png'),
  file_path: (to, { job }) => to.text(job.hasOutput ? OUTPUT_PATH : `photo-${job.i}.png`),
  tags: (to) => to.texts([]),
  tag_set: (to) => to.texts([]),
  created_at: (to, { job }) => to.time(job.endedAt ?? job.at),
  expires_at: (to, { job }) => to.time(ofOutput(job, job.expiresAt)),
  job_id: (to, { job }) => to.bytes(ofOutput(job, job.id)),
  fence: (to, { job }) => to.int64(ofOutput(job, job.fence)),
  output_key: (to, { job }) => to.text(ofOutput(job, OUTPUT_KEY)),
  retained_until: (to, { job }) => to.time(ofOutput(job, job.expiresAt)),
  confirmed_at: (to, { job }) => to.time(ofOutput(job, job.endedAt)),
};

const UPLOAD_KEY: Columns<JobAsset> = {
  account_id: (to, { job }) => to.bytes(job.accountId),
  key: (to, { asset }) => to.text(uuidText(asset.id)),
  asset_id: (to, { asset }) => to.bytes(asset.id),
  claimed_at: (to, { job }) => to.time(job.at),
};

function finalStatus(job: PlannedJob): string | null {
  return job.endedAt === null ? null : job.status;
}

function table<Row>(name: string, columns: Readonly<Record<string, Column<Row> | undefined>>): Table<Row> {
  const writers = Object.values(columns).filter((column) => column !== undefined);
  const write = (to: BinaryRows, row: Row): void => {
    to.row(writers.length);
    for (const column of writers) column(to, row);
  };
  return { name, columns: Object.keys(columns), write };
}

export const TABLES = {
  event: table('jobs.event', EVENT),
  job: table('jobs.job', JOB),
  label: table('jobs.job_label', LABEL),
  queue: table('jobs.queue', QUEUE),
  output: table('jobs.job_output', OUTPUT),
  key: table('jobs.idempotency_key', KEY),
  blob: table('assets.blob', BLOB),
  asset: table('assets.asset', ASSET),
  uploadKey: table('assets.idempotency_key', UPLOAD_KEY),
};
