import type { Pool } from 'pg';

/**
 * For a process that is alone on its database, at its start: whoever held a lease died with the process before, so the
 * leases run out now instead of after the lease time, and the deadlines' first look gives the jobs their next attempt.
 */
export async function endOrphanedLeases(pool: Pool): Promise<void> {
  await pool.query(`
    update jobs.queue set lease_until = least(lease_until, heddle.clock_now()) where state <> 'queued'`);
}
