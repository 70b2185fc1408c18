import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { overdueSql } from './overdue.sql.js';
import type { OverdueRow } from './overdue.sql.js';
import { RescueGrace } from './rescue-grace.js';

/** Finds jobs with a deadline that has passed, and condemns their expired leases. */
@Injectable()
export class OverdueJobs {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly grace: RescueGrace,
  ) {}

  /** One row per job: of several deadlines that it has passed, the first in the statement's order. */
  async find(trustedUntilMs: number, leftAlone: string): Promise<readonly OverdueRow[]> {
    const values = [trustedUntilMs, this.grace.trustedUntilMs, this.grace.since, leftAlone];
    const { rows } = await this.pool.query<OverdueRow>({ name: 'overdue', text: overdueSql, values });
    const jobs = new Map<string, OverdueRow>();
    for (const row of rows) if (!jobs.has(row.job_id)) jobs.set(row.job_id, row);
    return [...jobs.values()];
  }
}
