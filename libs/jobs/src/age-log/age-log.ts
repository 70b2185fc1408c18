import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isLockTimeout } from '@heddle/platform-database';
import { unrecordedPartitions } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JobsLog } from '../jobs-log.js';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { JobsSettings } from '../settings.js';
import { LogCheckpoints } from './log-checkpoints.js';
import { JOBS_POOL } from '../jobs-connections.js';

/** Links copied and numbers removed per statement: some tens of milliseconds. */
const STEP = 2_000;
const DETACH_ATTEMPTS = 50;
const DETACH_PAUSE_MS = 200;

interface Reached {
  readonly o_txid: string;
  readonly o_position: string;
  readonly o_read: number;
}

const countsSql = `
select (select count(*)::int from jobs.attached_partitions()) as attached,
       (select count(*)::int from jobs.event_partition where detached_at is not null) as detached,
       (select extract(epoch from heddle.clock_now())::float8 - (('x' || left(replace(p.to_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)::float8
          from jobs.attached_partitions() p order by p.to_id limit 1) as oldest`;

export interface PartitionCounts {
  readonly attached: number;
  readonly detached: number;
  /** Seconds since the end of the oldest attached partition; negative if it is in the future. */
  readonly oldest: number;
}

/**
 * Detaches partitions whose jobs are all purged (docs/decisions/0026): copies links beside the numbers, writes a
 * checkpoint after the last event, detaches the partition, then removes the numbers up to the checkpoint. Each step may
 * be repeated, by any replica.
 */
@Injectable()
export class AgeLog {
  #counts: PartitionCounts = { attached: 0, detached: 0, oldest: 0 };
  #strays: string | null = null;
  /** Every number up to this one has its link. */
  #proven = '0';
  #checkpointAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly checkpoints: LogCheckpoints,
    private readonly settings: JobsSettings,
    private readonly log: JobsLog,
  ) {}

  get counts(): PartitionCounts {
    return this.#counts;
  }

  /** A problem for an operator; null if there is none. */
  get trouble(): string | null {
    return this.checkpoints.trouble ?? this.#strays;
  }

  /** True if there may be more to do. */
  async turn(): Promise<boolean> {
    await this.#look();
    await this.checkpoints.check();
    if (this.checkpoints.trouble !== null) return false;
    if (performance.now() - this.#checkpointAt >= this.settings.checkpointMs) {
      await this.checkpoints.write();
      this.#checkpointAt = performance.now();
    }
    const { rows } = await this.pool.query<{ name: string | null }>('select jobs.ageable_partition() as name');
    const name = rows[0]?.name ?? null;
    const hasLeft = name !== null && (await this.#detach(name));
    while (await this.#forgetNumbers());
    return hasLeft;
  }

  async #detach(name: string): Promise<boolean> {
    const place = await this.#copyLinks(name);
    await this.checkpoints.write();
    const values = [name, place.o_txid, place.o_position];
    for (let attempt = 1; attempt <= DETACH_ATTEMPTS; attempt++) {
      try {
        const text = 'select jobs.detach_event_partition($1, $2, $3) as done';
        const { rows } = await this.pool.query<{ done: boolean }>(text, values);
        if (rows[0]?.done === true)
          this.log.noticed('a partition of the log was detached: its table stays until it is archived and dropped', {
            name,
          });
        return rows[0]?.done === true;
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        await delay(DETACH_PAUSE_MS);
      }
    }
    this.log.noticed('a partition of the log could not be detached yet: a transaction keeps reading the log', {
      name,
    });
    return false;
  }

  async #copyLinks(name: string): Promise<Reached> {
    let place: Reached = { o_txid: '0', o_position: '0', o_read: STEP };
    while (place.o_read === STEP) {
      const values = [name, place.o_txid, place.o_position, STEP];
      const { rows } = await this.pool.query<Reached>('select * from jobs.link_partition($1, $2, $3, $4)', values);
      place = rows[0]!;
    }
    return place;
  }

  /** True if there may be more to remove. */
  async #forgetNumbers(): Promise<boolean> {
    const text = 'select o_gone, o_proven from jobs.forget_numbers($1, $2)';
    const { rows } = await this.pool.query<{ o_gone: number; o_proven: string | null }>(text, [STEP, this.#proven]);
    const { o_gone: gone, o_proven: proven } = rows[0]!;
    const wentOn = proven !== null && BigInt(proven) > BigInt(this.#proven);
    if (proven !== null) this.#proven = proven;
    return gone > 0 || wentOn;
  }

  /** Compares the catalog with the records: someone may have attached a partition again, or dropped one. */
  async #look(): Promise<void> {
    const { rows } = await this.pool.query<PartitionCounts>(countsSql);
    this.#counts = rows[0] ?? this.#counts;
    const strays = await unrecordedPartitions(this.pool, JOBS_SCHEMA);
    const trouble = strays.length === 0 ? null : `${strays.join('; ')}; see docs/how-to/age-the-log.md`;
    if (trouble !== null && trouble !== this.#strays) this.log.noticed(trouble, {});
    this.#strays = trouble;
  }
}
