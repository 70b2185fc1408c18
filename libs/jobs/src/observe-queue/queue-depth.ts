import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { depthSql, relayLagSql } from './queue-depth.sql.js';
import type { DepthRow, RelayLagRow } from './queue-depth.sql.js';

const INTERVAL_MS = 5_000;

/** Reads the counters of waiting and running jobs, and the relay's lag behind the log, for the metrics. */
@Injectable()
export class QueueDepth implements BackgroundTask {
  readonly failure = 'the queue depth was not read';
  readonly needsClock = false;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly metrics: JobsMetrics,
  ) {}

  intervalMs(): number {
    return INTERVAL_MS;
  }

  async run(): Promise<boolean> {
    const [depth] = (await this.pool.query<DepthRow>(depthSql)).rows;
    this.metrics.queueDepth(depth?.waiting ?? 0, depth?.running ?? 0);
    const [lag] = (await this.pool.query<RelayLagRow>(relayLagSql)).rows;
    this.metrics.relayLag(Number(lag?.events ?? 0), Number(lag?.seconds ?? 0));
    return false;
  }
}
