import { Inject, Injectable } from '@nestjs/common';
import { RepeatedWork } from '@heddle/platform-database';
import type { Pool } from 'pg';
import { ProxyLogger } from '../proxy-logger.js';
import { ProxyMetrics } from '../proxy-metrics.js';
import { PROXY_POOL } from '../proxy-pool.js';
import { deliveriesSql, stepsSql } from './proxy-depth.sql.js';
import type { DeliveriesRow, StepRow } from './proxy-depth.sql.js';

const INTERVAL_MS = 5_000;

/** Reads what is under way, and since when, for the metrics. */
@Injectable()
export class ProxyDepth {
  readonly #reads: RepeatedWork;

  constructor(
    @Inject(PROXY_POOL) private readonly pool: Pool,
    private readonly metrics: ProxyMetrics,
    logger: ProxyLogger,
  ) {
    this.#reads = new RepeatedWork(
      () => this.run(),
      (error) => logger.error('the tasks under way were not counted: it is tried again', error),
    );
  }

  start(): void {
    this.#reads.start(INTERVAL_MS);
  }

  async stop(): Promise<void> {
    await this.#reads.stop();
  }

  async run(): Promise<void> {
    this.metrics.steps((await this.pool.query<StepRow>(stepsSql)).rows);
    this.metrics.deliveries((await this.pool.query<DeliveriesRow>(deliveriesSql)).rows[0]!);
  }
}
