import type { Pool, PoolClient } from 'pg';

/** Runs work in one transaction, and returns its value once that is committed. Rolls back if the work throws. */
export async function inTransaction<T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    broken = false;
    return value;
  } finally {
    // A client that failed inside its transaction is closed, which rolls back, and not reused.
    client.release(broken);
  }
}
