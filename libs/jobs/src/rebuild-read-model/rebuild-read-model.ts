import type { ClientBase, Pool } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { compareSlice } from './compare-slice.js';
import { insertJobs } from './insert-jobs.js';
import { allJobs } from './job-slices.js';
import { READ_MODEL_TABLES } from './read-model-tables.js';
import { swapRows } from './swap-rows.js';
import type { SwapOptions } from './swap-rows.js';

export interface RebuildOptions extends SwapOptions {
  /** Replaces differing rows with those from the log while the service runs. */
  readonly swap?: boolean;
  readonly onProgress?: (progress: { readonly events: number }) => void;
  /** Called once the schema is made: until then a schema of this name belongs to somebody else. */
  readonly onMade?: () => void;
}

export interface RebuildReport {
  readonly events: number;
  /** Jobs and outputs in the log. */
  readonly jobs: number;
  readonly outputs: number;
  /** Differences of the live tables from the log; at most 20. */
  readonly differences: readonly string[];
  /** Rows of the live tables were replaced. */
  readonly swapped: boolean;
  /** Events that cannot be folded: their jobs were neither compared nor replaced. */
  readonly unusable: number;
}

/** The schema already exists, or its name is not allowed. */
export class RebuildSchemaError extends Error {
  override readonly name = 'RebuildSchemaError';
}

const MAX_DIFFERENCES = 20;

/**
 * Rebuilds the read model from the log into copies of its tables in the new schema `schema`, and compares it with the
 * live tables; job by job, each slice in its own transaction, while the service runs. In an aged log every remaining
 * job has all its events. The caller may inspect the schema and must drop it. Needs an owner's connection.
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
  await makeTwins(client, schema);
  options.onMade?.();
  const differences: string[] = [];
  let [events, jobs, outputs, unusable] = [0, 0, 0, 0];
  for await (const slice of allJobs(client)) {
    options.signal?.throwIfAborted();
    await client.query('begin transaction isolation level repeatable read');
    try {
      const compared = await compareSlice(client, slice);
      await insertJobs(client, schema, compared.jobs);
      const differing = new Set<string>();
      for (const { fault, streamId, version, message } of compared.faults) {
        const text = fault === 'read_model' ? message : `version ${version} of job ${streamId}: ${message}`;
        if (differences.length < MAX_DIFFERENCES) differences.push(text);
        if (fault === 'read_model') differing.add(String(streamId));
        else unusable += 1;
      }
      if (differing.size > 0)
        await client.query(`insert into ${schema}.differing select unnest($1::uuid[])`, [[...differing]]);
      await client.query('commit');
      events += compared.events;
      jobs += compared.jobs.length;
      outputs += compared.outputs;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
    options.onProgress?.({ events });
  }
  const swapped = options.swap === true && (await swapRows(client, schema, options));
  return { events, jobs, outputs, differences, swapped, unusable };
}

export async function dropRebuilt(client: Pool | ClientBase, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade`);
}

async function makeTwins(client: ClientBase, schema: string): Promise<void> {
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw new RebuildSchemaError(
      `"${schema}" is not a schema name: lower-case letters, digits and _, at most 63, not pg_`,
    );
  await refuseTaken(client, schema);
  const tables = READ_MODEL_TABLES.map(
    ({ name }) => `create unlogged table ${schema}.${name} (like ${JOBS_SCHEMA}.${name} including constraints);
      create table ${schema}.former_${name} (like ${JOBS_SCHEMA}.${name});`,
  );
  await client.query(`begin; create schema ${schema}; ${tables.join(' ')}
    create unlogged table ${schema}.differing (job_id uuid primary key); commit`);
}

/** Advises to drop a schema only if a rebuild made it: following that advice for any other one would lose its data. */
async function refuseTaken(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ rebuilt: boolean }>(
    `select to_regclass($1 || '.differing') is not null and to_regclass($1 || '.former_job') is not null as rebuilt
      from pg_namespace where nspname = $1`,
    [schema],
  );
  const [taken] = rows;
  if (taken === undefined) return;
  throw new RebuildSchemaError(
    taken.rebuilt
      ? `the schema ${schema} already exists; an earlier rebuild made it, and its tables former_* hold the rows that it ` +
          'replaced: name another schema, or drop this one if you no longer need them'
      : `the schema ${schema} already exists, and no rebuild made it: name another one`,
  );
}
