import { Inject, Injectable } from '@nestjs/common';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';
import { overdueSql } from './overdue.sql.js';
import type { OverdueRow } from './overdue.sql.js';
import { RescueGrace } from './rescue-grace.js';

const DEADLINES = ['lease', 'attempt', 'cancel', 'queue'] as const satisfies OverdueRow['deadline'][];

/** Finds jobs with a deadline that has passed, and condemns their expired leases. */
@Injectable()
export class OverdueJobs implements Observed {
  #found: readonly OverdueRow[] = [];

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly grace: RescueGrace,
  ) {}

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.jobsOverdue, () =>
      DEADLINES.map((deadline) => [{ deadline }, this.#found.filter((row) => row.deadline === deadline).length]),
    );
  }

  /** One row per job: of several deadlines that it has passed, the first in the statement's order. */
  async find(trustedUntilMs: number, leftAlone: string): Promise<readonly OverdueRow[]> {
    const values = [trustedUntilMs, this.grace.trustedUntilMs, this.grace.since, leftAlone];
    const { rows } = await this.pool.query<OverdueRow>({ name: 'overdue', text: overdueSql, values });
    const jobs = new Map<string, OverdueRow>();
    for (const row of rows) if (!jobs.has(row.job_id)) jobs.set(row.job_id, row);
    this.#found = [...jobs.values()];
    return this.#found;
  }
}
