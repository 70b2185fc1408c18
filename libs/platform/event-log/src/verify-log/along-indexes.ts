import type pg from 'pg';

/** Without statistics, or if the numbers lie close together, the planner would scan a large table for each range. */
const OFF = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_sort',
  'jit',
] as const;

/** Forces index scans for the statements of `work`, whatever the planner prefers, so that each reads only its range. */
export async function alongIndexes<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(`${OFF.map((name) => `set ${name} = off`).join('; ')}; set max_parallel_workers_per_gather = 0`);
  try {
    return await work();
  } finally {
    // After a failed transaction or a broken connection there is nothing to reset.
    await client
      .query(`${OFF.map((name) => `reset ${name}`).join('; ')}; reset max_parallel_workers_per_gather`)
      .catch(() => undefined);
  }
}
