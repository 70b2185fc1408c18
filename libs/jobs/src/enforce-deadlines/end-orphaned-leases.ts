import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { JOBS_ALONE, JOBS_POOL } from '../jobs-connections.js';

/**
 * For a process that is alone on its database, at its start: whoever held a lease died with the process before. Its
 * leases are condemned, and the deadlines' first look gives the jobs their next attempt without any grace.
 */
@Injectable()
export class EndOrphanedLeases {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    @Inject(JOBS_ALONE) private readonly isAlone: boolean,
  ) {}

  async atStart(): Promise<void> {
    if (this.isAlone) await this.pool.query(`update jobs.queue set lease_until = '-infinity' where state <> 'queued'`);
  }
}
