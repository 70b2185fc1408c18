import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';

const END_TIMEOUT_MS = 3_000;

/** Ends the pools. Waits briefly for clients that are still checked out. */
export async function endPools(pools: Iterable<Pick<Pool, 'end'>>): Promise<void> {
  const ended = Promise.all([...pools].map(async (pool) => await pool.end()));
  await Promise.race([ended, delay(END_TIMEOUT_MS, undefined, { ref: false })]);
}
