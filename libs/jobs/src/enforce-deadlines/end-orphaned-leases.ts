import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { JOBS_ALONE, JOBS_POOL } from '../jobs-connections.js';

/**
 * Runs at the start of a process that is alone on its database: all lease holders died with the previous process. It
 * condemns their leases, and the first look at deadlines gives the jobs their next attempt without a grace period.
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
