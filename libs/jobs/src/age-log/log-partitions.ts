import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { JobsSettings } from '../settings.js';
import { JOBS_POOL } from '../jobs-connections.js';

const aheadSql = `
select jobs.make_event_partitions($1::bigint, array(
  select i.ms from generate_series(0, $2::int) n
   cross join lateral (select (extract(epoch from heddle.clock_now()) * 1000)::bigint + n * $1::bigint as ms) i
   -- Where a detached partition lies, the clock is wrong: an empty one would keep it from being attached again.
   where not exists (select from jobs.event_partition p where p.detached_at is not null
                        and coalesce(p.from_id <= jobs.first_event_id(i.ms), true)
                        and coalesce(jobs.first_event_id(i.ms) < p.to_id, true)))) as made`;

const coverSql = `select jobs.make_event_partitions($1::bigint, $2::bigint[]) as made`;

const overlappedSql = `
select d.name from jobs.event_partition d
 where d.detached_at is not null
   and exists (select from jobs.event_partition m where m.name = any($1::text[])
                  and coalesce(m.from_id < d.to_id, true) and coalesce(d.from_id < m.to_id, true))
 order by d.from_id nulls first limit 20`;

/** Partitions created in advance: weeks during which none must be created. */
const PERIODS_AHEAD = 4;

const MAX_MAINTENANCE_MS = 60_000;

/** Interval of log maintenance. */
export function logMaintenanceMs({ logPartitionMs, checkpointMs }: JobsSettings): number {
  return Math.min(MAX_MAINTENANCE_MS, logPartitionMs / 2, checkpointMs);
}

/** PostgreSQL's error for a row without a partition: a violated check that is not a table's constraint. */
export function isWithoutPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string };
  return code === '23514' && table === 'event' && constraint === undefined;
}

/**
 * Provides partitions for the events of new jobs. They are created in advance; a job whose id is from another time (a
 * clock jumped in the database or where ids are generated) gets its partition on demand.
 */
@Injectable()
export class LogPartitions implements BackgroundTask {
  readonly failure = 'partitions of the log were not created in advance';
  readonly needsClock = false;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly log: BackgroundLogger,
  ) {}

  intervalMs(settings: JobsSettings): number {
    return logMaintenanceMs(settings);
  }

  /** Creates partitions in advance. */
  async run(): Promise<boolean> {
    await this.pool.query(aheadSql, [this.settings.logPartitionMs, PERIODS_AHEAD]);
    return false;
  }

  /** Creates missing partitions for these jobs, unless another process already has. */
  async cover(jobIds: readonly string[]): Promise<void> {
    const period = this.settings.logPartitionMs;
    const times = new Map(jobIds.map(instantOf).map((instant) => [Math.floor(instant / period), instant]));
    const { rows } = await this.pool.query<{ made: readonly string[] }>(coverSql, [period, [...times.values()]]);
    const made = rows[0]?.made ?? [];
    if (made.length === 0) return;
    const detached = (await this.pool.query<{ name: string }>(overlappedSql, [made])).rows.map(({ name }) => name);
    const readAgain = ' (to read the detached ones of that time again, see docs/how-to/age-the-log.md)';
    this.log.warn(
      'created a log partition for a job id from another time: compare the clocks of the gateways and of the database' +
        (detached.length === 0 ? '' : readAgain),
      { made, jobIds: jobIds.slice(0, 10), ...(detached.length === 0 ? {} : { detached }) },
    );
  }
}

/** The first 48 bits of a UUIDv7: milliseconds since 1970. */
function instantOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
