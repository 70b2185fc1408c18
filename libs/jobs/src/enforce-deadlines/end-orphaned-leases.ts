import type { Pool } from 'pg';

/**
 * For a process that is alone on its database, at its start: whoever held a lease died with the process before. Its
 * leases are condemned, and the deadlines' first look gives the jobs their next attempt without any grace.
 */
export async function endOrphanedLeases(pool: Pool): Promise<void> {
  await pool.query(`update jobs.queue set lease_until = '-infinity' where state <> 'queued'`);
}
