import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { compareSlice } from './compare-slice.js';
import { listed } from './job-slices.js';
import { insertJobs } from './insert-jobs.js';
import { READ_MODEL_TABLES } from './read-model-tables.js';

export interface SwapOptions {
  /** Ends the work after the statements that are under way, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Rows of live tables were replaced, for good: from now on the schema holds what was there. */
  readonly onSwapped?: () => void;
}

/** Jobs a transaction: their rows are locked for some 50 ms. */
const JOBS = 200;

/**
 * Replaces the rows of the jobs in `differing` by what the log gives at that moment, a few jobs a transaction, under the locks that every
 * change of a job takes: no table is locked, and indexes, grants and triggers stay. What was there goes to `former_...`. True when
 * some row was replaced.
 */
export async function swapRows(
  client: ClientBase,
  schema: string,
  { signal, onSwapped }: SwapOptions,
): Promise<boolean> {
  let swapped = false;
  for (;;) {
    signal?.throwIfAborted();
    await client.query(`begin; set local lock_timeout = '5s'`);
    try {
      const { rows } = await client.query<{ job_id: string }>(
        `delete from ${schema}.differing d using (select job_id from ${schema}.differing order by job_id limit ${JOBS}) n
          where d.job_id = n.job_id returning d.job_id`,
      );
      if (rows.length > 0)
        swapped =
          (await swapJobs(
            client,
            schema,
            rows.map(({ job_id }) => job_id),
          )) || swapped;
      await client.query('commit');
      if (swapped) onSwapped?.();
      if (rows.length === 0) return swapped;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }
}

async function swapJobs(client: ClientBase, schema: string, ids: readonly string[]): Promise<boolean> {
  // In the order of the services: first the queue's row, then the job's. From here on nobody changes these jobs.
  await client.query(`select from ${JOBS_SCHEMA}.queue where job_id = any($1::uuid[]) order by job_id for update`, [
    ids,
  ]);
  await client.query(`select from ${JOBS_SCHEMA}.job where id = any($1::uuid[]) order by id for update`, [ids]);
  let swapped = false;
  for (const slice of listed(ids)) {
    const { faults, jobs } = await compareSlice(client, slice);
    const differing = new Set(
      faults.filter(({ fault }) => fault === 'read_model').map(({ streamId }) => String(streamId)),
    );
    if (differing.size === 0) continue;
    // A job takes its labels along: they go first.
    for (const { name, columns } of [...READ_MODEL_TABLES].reverse())
      await client.query(
        `with old as (delete from ${JOBS_SCHEMA}.${name} where ${columns[0]![0]} = any($1::uuid[]) returning *)
         insert into ${schema}.former_${name} select * from old`,
        [[...differing]],
      );
    await insertJobs(
      client,
      JOBS_SCHEMA,
      jobs.filter(({ jobId }) => differing.has(jobId)),
    );
    swapped = true;
  }
  return swapped;
}
