import type { ClientBase, Pool } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { compareSlice } from './compare-slice.js';
import { changesFrom, copyJobs } from './fold-changed.js';
import { insertJobs } from './insert-jobs.js';
import { allJobs } from './job-slices.js';
import { indexShadow, makeShadow } from './shadow-tables.js';
import { swapTables } from './swap-tables.js';

interface RebuildOptions {
  /** Puts the rebuilt tables in the place of the live ones while the service runs. */
  readonly swap?: boolean;
  /** A second connection, which writes the rows of one slice while the next is read. */
  readonly beside?: ClientBase;
  /** Aborts after the current statement with the signal's reason. */
  readonly signal?: AbortSignal;
  /** `total` grows if the log does. */
  readonly onProgress?: (progress: { readonly events: number; readonly total: number }) => void;
  /** With `swap`: constraints, indexes and statistics of the copies that are made. */
  readonly onIndexed?: (progress: { readonly steps: number; readonly total: number }) => void;
  /** Called once the schema is made: until then a schema of this name belongs to somebody else. */
  readonly onMade?: () => void;
  /** Called once the tables were exchanged: from then on the schema holds the former ones. */
  readonly onSwapped?: () => void;
}

interface RebuildReport {
  readonly events: number;
  /** Jobs and outputs in the log. */
  readonly jobs: number;
  readonly outputs: number;
  /** Differences of the live tables from the log; at most 20. */
  readonly differences: readonly string[];
  /** The rebuilt tables are live. */
  readonly swapped: boolean;
  /** Events with a fault. Jobs with one that cannot be folded were not compared, and keep their rows. */
  readonly unusable: number;
}

const MAX_DIFFERENCES = 20;

/**
 * Rebuilds the read model from the log into copies of its tables in the new schema `schema`, and compares it with the
 * live tables; job by job, each slice in its own transaction, while the service runs. In an aged log every remaining
 * job has all its events. With `swap`, the copies then follow the log and take the place of the live tables
 * (docs/decisions/0049). The caller may inspect the schema and must drop it. Needs an owner's connection.
 */
export async function rebuildReadModel(
  database: Pool | ClientBase,
  schema: string,
  options: RebuildOptions = {},
): Promise<RebuildReport> {
  if (!('totalCount' in database)) return await rebuildWith(database, schema, options);
  const client = await database.connect();
  try {
    return await rebuildWith(client, schema, options);
  } finally {
    client.release();
  }
}

async function rebuildWith(client: ClientBase, schema: string, options: RebuildOptions): Promise<RebuildReport> {
  const swap = options.swap === true;
  await makeShadow(client, schema, { goesLive: swap });
  options.onMade?.();
  const since = await changesFrom(client);
  const report = await foldAll(client, schema, options);
  if (!swap) return report;
  await indexShadow(client, schema, options);
  await swapTables(client, schema, since, options.signal);
  options.onSwapped?.();
  return { ...report, swapped: true };
}

async function foldAll(client: ClientBase, schema: string, options: RebuildOptions): Promise<RebuildReport> {
  const differences: string[] = [];
  let [events, jobs, outputs, unusable] = [0, 0, 0, 0];
  const numbered = await numberedEvents(client);
  const { beside = client } = options;
  let written = Promise.resolve();
  for await (const slice of allJobs(client)) {
    options.signal?.throwIfAborted();
    const compared = await committed(client, () => compareSlice(client, slice));
    await written;
    written = committed(beside, async () => {
      await insertJobs(beside, schema, compared.jobs);
      await copyJobs(beside, schema, compared.unknown);
    });
    // A failure is thrown when the next slice is compared.
    written.catch(() => undefined);
    if (beside === client) await written;
    for (const { fault, streamId, version, message } of compared.faults) {
      const text = fault === 'read_model' ? message : `version ${version} of job ${streamId}: ${message}`;
      if (differences.length < MAX_DIFFERENCES) differences.push(text);
      if (fault !== 'read_model') unusable += 1;
    }
    events += compared.events;
    jobs += compared.jobs.length;
    outputs += compared.outputs;
    options.onProgress?.({ events, total: Math.max(numbered, events) });
  }
  await written;
  return { events, jobs, outputs, differences, swapped: false, unusable };
}

/** Numbers are dense, so their ends say how many there are. */
async function numberedEvents(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ events: string | null }>(
    `select max(seq) - min(seq) + 1 as events from ${JOBS_SCHEMA}.event_seq`,
  );
  return Number(rows[0]?.events ?? 0);
}

/** Works in a transaction with one snapshot. */
async function committed<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin transaction isolation level repeatable read');
  try {
    const done = await work();
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
