import { Inject, Injectable } from '@nestjs/common';
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
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  constructor(
    @Inject(REGISTRY_BUS) private readonly bus: MessageBus | null,
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly metrics: MetricsRegistry,
    private readonly logger: RegistryLogger,
  ) {}

  /** Where nothing is published, nothing lags. */
  start(): void {
    if (this.bus === null) return;
    const gauge = this.metrics.gauge(REGISTRY_METRICS.relayLagSeconds);
    gauge.set(0);
    const read = async (): Promise<void> => {
      const [lag] = (await this.pool.query<UnpublishedAgeRow>(relayLagSql)).rows;
      gauge.set(Math.max(0, lag?.seconds ?? 0));
    };
    this.#timer = setInterval(() => {
      // While the database is away the last value stays, and /readyz says what is away.
      this.#running ??= read()
        .catch((error: unknown) => this.logger.error('the lag of the relay was not read', error))
        .finally(() => {
          this.#running = null;
        });
    }, READ_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}
