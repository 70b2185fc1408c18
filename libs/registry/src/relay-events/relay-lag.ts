import { Inject, Injectable } from '@nestjs/common';
import { RepeatedWork } from '@heddle/platform-database';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { Pool } from 'pg';
import { REGISTRY_METRICS } from '../metrics.js';
import { RegistryLogger } from '../registry-logger.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { REGISTRY_BUS } from './registry-relay.js';
import { relayLagSql } from './relay-lag.sql.js';
import type { UnpublishedAgeRow } from './relay-lag.sql.js';

const READ_MS = 5_000;

/** Reads how far the relay is behind the log, for the metric: every replica reads the same. */
@Injectable()
export class RelayLag {
  readonly #reads: RepeatedWork;

  constructor(
    @Inject(REGISTRY_BUS) private readonly bus: MessageBus | null,
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly metrics: MetricsRegistry,
    logger: RegistryLogger,
  ) {
    // While the database is unreachable the last value stays, and /readyz says what is unreachable.
    this.#reads = new RepeatedWork(
      () => this.#read(),
      (error) => logger.error('the lag of the relay was not read', error),
    );
  }

  /** Where nothing is published, nothing lags. */
  start(): void {
    if (this.bus === null) return;
    this.metrics.gauge(REGISTRY_METRICS.relayLagSeconds).set(0);
    this.#reads.start(READ_MS);
  }

  async stop(): Promise<void> {
    await this.#reads.stop();
  }

  async #read(): Promise<void> {
    const [lag] = (await this.pool.query<UnpublishedAgeRow>(relayLagSql)).rows;
    this.metrics.gauge(REGISTRY_METRICS.relayLagSeconds).set(Math.max(0, lag?.seconds ?? 0));
  }
}
