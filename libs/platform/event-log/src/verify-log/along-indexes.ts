import type pg from 'pg';

/** A large table without statistics, or one whose numbers lie close together, would be read as a whole for each range. */
const OFF = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_sort',
  'jit',
] as const;

/** Lets the statements of `work` walk along indexes, whatever the planner thinks of the tables: each reads its range and no more. */
export async function alongIndexes<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(`${OFF.map((name) => `set ${name} = off`).join('; ')}; set max_parallel_workers_per_gather = 0`);
  try {
    return await work();
  } finally {
    // In a transaction that failed, or on a connection that broke, there is nothing to set back.
    await client
      .query(`${OFF.map((name) => `reset ${name}`).join('; ')}; reset max_parallel_workers_per_gather`)
      .catch(() => undefined);
  }
}
