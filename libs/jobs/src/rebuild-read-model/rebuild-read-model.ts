import type { Pool } from 'pg';
import { jobRow, JOB_COLUMNS, outputRows } from './read-model-row.js';
import { replayJobs } from './replay-jobs.js';
import type { ReplayedJob } from './replay-jobs.js';

const BATCH = 2_000;

const types: Readonly<Record<(typeof JOB_COLUMNS)[number], string>> = {
  id: 'uuid',
  account_id: 'uuid',
  deployment_id: 'uuid',
  status: 'text',
  version: 'int',
  fence: 'int',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  started_at: 'timestamptz',
  completed_at: 'timestamptz',
  expires_at: 'timestamptz',
  workflow_hash: 'bytea',
  idempotency_key: 'text',
  metadata: 'json',
  labels: 'text[]',
  progress: 'json',
  error: 'json',
};

/**
 * Writes the read model anew, from the first event of the log, into an empty twin of its tables in another schema.
 * For an owner's pool. Reading and writing overlap; each batch is a statement of its own, so no transaction stays open.
 */
export async function rebuildReadModel(owner: Pool, schema: string): Promise<{ events: number; jobs: number }> {
  await owner.query(`create schema ${schema}`);
  for (const table of ['job', 'job_output']) {
    await owner.query(`create unlogged table ${schema}.${table} (like jobs.${table} including constraints)`);
  }
  const client = await owner.connect();
  try {
    let events = 0;
    let jobs = 0;
    const pending = new Map<string, ReplayedJob>();
    let purged: string[] = [];
    let writing: Promise<void> = Promise.resolve();
    for await (const step of replayJobs(client)) {
      events += step.events;
      for (const job of step.jobs) pending.set(job.jobId, job);
      for (const jobId of step.purged) if (!pending.delete(jobId)) purged.push(jobId);
      if (pending.size < BATCH && purged.length < BATCH) continue;
      await writing;
      jobs += pending.size - purged.length;
      writing = write(owner, schema, [...pending.values()], purged);
      pending.clear();
      purged = [];
    }
    await writing;
    await write(owner, schema, [...pending.values()], purged);
    return { events, jobs: jobs + pending.size - purged.length };
  } finally {
    client.release();
  }
}

/** `purged` ended in an earlier page of the log than the one that purges them. */
async function write(
  owner: Pool,
  schema: string,
  jobs: readonly ReplayedJob[],
  purged: readonly string[],
): Promise<void> {
  if (purged.length > 0) {
    await owner.query(`delete from ${schema}.job where id = any($1::uuid[])`, [purged]);
    await owner.query(`delete from ${schema}.job_output where job_id = any($1::uuid[])`, [purged]);
  }
  const rows = jobs.map(jobRow);
  const parameters = JOB_COLUMNS.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const columns = JOB_COLUMNS.map((column) => `${column}::${types[column]}`).join(', ');
  await owner.query(
    `insert into ${schema}.job (${JOB_COLUMNS.join(', ')})
     select ${columns} from unnest(${parameters}) as n(${JOB_COLUMNS.join(', ')})`,
    JOB_COLUMNS.map((_, at) => rows.map((row) => row[at])),
  );
  const outputs = jobs.flatMap(outputRows);
  if (outputs.length === 0) return;
  await owner.query(
    `insert into ${schema}.job_output (job_id, ordinal, key, output)
     select job_id::uuid, ordinal::int, key::bytea, output::json
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as n(job_id, ordinal, key, output)`,
    [0, 1, 2, 3].map((at) => outputs.map((row) => row[at])),
  );
}
