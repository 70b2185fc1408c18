import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { compareSlice } from './compare-slice.js';
import { listed } from './job-slices.js';
import { insertJobs } from './insert-jobs.js';
import { READ_MODEL_TABLES } from './read-model-tables.js';

export interface SwapOptions {
  /** Aborts after the current statements with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called once live rows were replaced for good: from then on the schema holds the former rows. */
  readonly onSwapped?: () => void;
}

/** Jobs per transaction: their rows are locked for about 50 ms. */
const JOBS = 200;

/**
 * Replaces the rows of the jobs in `differing` with the log's current result, a few jobs per transaction, under the
 * locks that every job change takes: no table is locked, and indexes, grants and triggers stay. Former rows go to
 * `former_...`. Returns true if a row was replaced.
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
  // The services' lock order: queue row, then job row. From here on nobody changes these jobs.
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
    // Deleting a job cascades to its labels: delete them first.
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
