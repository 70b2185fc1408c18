import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { BackgroundLogger, isLockTimeout } from '@heddle/platform-database';
import { unrecordedPartitions } from '@heddle/platform-event-log';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { JobsSettings } from '../settings.js';
import { LogCheckpoints } from './log-checkpoints.js';
import { logMaintenanceMs } from './log-partitions.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { ageableSql, countsSql, detachSql, linkSql, removeNumbersSql } from './age-log.sql.js';
import type { LinkedRow, PartitionCounts, RemovedRow } from './age-log.sql.js';

/** Links copied and numbers removed per statement: some tens of milliseconds. */
const STEP = 2_000;
const DETACH_ATTEMPTS = 50;
const DETACH_PAUSE_MS = 200;

/**
 * Detaches partitions whose jobs are all purged (docs/decisions/0026): copies links beside the numbers, writes a
 * checkpoint after the last event, detaches the partition, then removes the numbers up to the checkpoint. Each step may
 * be repeated, by any replica.
 */
@Injectable()
export class AgeLog implements BackgroundTask, Observed {
  readonly failure = 'log maintenance failed';
  readonly needsClock = true;
  readonly readinessCheck = { name: 'log', check: () => this.trouble };
  #counts: PartitionCounts = { attached: 0, detached: 0, oldest: 0 };
  #unrecorded: string | null = null;
  /** Every number up to this one has its link. */
  #proven = '0';
  #checkpointAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly checkpoints: LogCheckpoints,
    private readonly settings: JobsSettings,
    private readonly log: BackgroundLogger,
  ) {}

  get counts(): PartitionCounts {
    return this.#counts;
  }

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.logPartitions, () => [
      [{ state: 'attached' }, this.#counts.attached],
      [{ state: 'detached' }, this.#counts.detached],
    ]);
    registry.gauge(JOBS_METRICS.logOldestPartition, () => this.#counts.oldest);
    registry.gauge(JOBS_METRICS.logTrouble, () => [
      [{ of: 'checkpoint' }, Number(this.checkpoints.trouble !== null)],
      [{ of: 'partition' }, Number(this.#unrecorded !== null)],
    ]);
  }

  /** Problems for an operator; null if there is none. */
  get trouble(): string | null {
    const troubles = [this.checkpoints.trouble, this.#unrecorded].filter((trouble) => trouble !== null);
    return troubles.length === 0 ? null : troubles.join('; ');
  }

  intervalMs(settings: JobsSettings): number {
    return logMaintenanceMs(settings);
  }

  async run(): Promise<boolean> {
    await this.#look();
    await this.checkpoints.check();
    if (this.checkpoints.trouble !== null) return false;
    if (performance.now() - this.#checkpointAt >= this.settings.checkpointMs) {
      await this.checkpoints.write();
      this.#checkpointAt = performance.now();
    }
    const { rows } = await this.pool.query<{ name: string | null }>(ageableSql);
    const name = rows[0]?.name ?? null;
    const hasLeft = name !== null && (await this.#detach(name));
    while (await this.#removeNumbers());
    return hasLeft;
  }

  async #detach(name: string): Promise<boolean> {
    const reached = await this.#copyLinks(name);
    await this.checkpoints.write();
    const values = [name, reached.o_txid, reached.o_position];
    for (let attempt = 1; attempt <= DETACH_ATTEMPTS; attempt++) {
      try {
        const { rows } = await this.pool.query<{ done: boolean }>(detachSql, values);
        if (rows[0]?.done === true)
          this.log.warn('a partition of the log was detached: its table stays until it is archived and dropped', {
            name,
          });
        return rows[0]?.done === true;
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        await delay(DETACH_PAUSE_MS);
      }
    }
    this.log.warn('a partition of the log could not be detached yet: a transaction keeps reading the log', {
      name,
    });
    return false;
  }

  async #copyLinks(name: string): Promise<LinkedRow> {
    let reached: LinkedRow = { o_txid: '0', o_position: '0', o_read: STEP };
    while (reached.o_read === STEP) {
      const values = [name, reached.o_txid, reached.o_position, STEP];
      const { rows } = await this.pool.query<LinkedRow>(linkSql, values);
      reached = rows[0]!;
    }
    return reached;
  }

  /** True if there may be more to remove. */
  async #removeNumbers(): Promise<boolean> {
    const { rows } = await this.pool.query<RemovedRow>(removeNumbersSql, [STEP, this.#proven]);
    const { o_gone: gone, o_proven: proven } = rows[0]!;
    const wentOn = proven !== null && BigInt(proven) > BigInt(this.#proven);
    if (proven !== null) this.#proven = proven;
    return gone > 0 || wentOn;
  }

  /** Compares the catalog with the records: someone may have attached a partition again, or dropped one. */
  async #look(): Promise<void> {
    const { rows } = await this.pool.query<PartitionCounts>(countsSql);
    this.#counts = rows[0] ?? this.#counts;
    const unrecorded = await unrecordedPartitions(this.pool, JOBS_SCHEMA);
    const trouble = unrecorded.length === 0 ? null : `${unrecorded.join('; ')}; see docs/how-to/age-the-log.md`;
    if (trouble !== null && trouble !== this.#unrecorded) this.log.warn(trouble, {});
    this.#unrecorded = trouble;
  }
}
