import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { JobsLog } from '../jobs-log.js';
import { JobsSettings } from '../settings.js';
import { JOBS_POOL } from '../jobs-connections.js';

/** Partitions of the log that are there before their time comes: weeks in which nobody has to make one. */
const PERIODS_AHEAD = 4;

const aheadSql = `
select jobs.make_event_partitions($1::bigint, array(
  select (extract(epoch from heddle.clock_now()) * 1000)::bigint + n * $1::bigint from generate_series(0, $2::int) n)) as made`;

const coverSql = `select jobs.make_event_partitions($1::bigint, $2::bigint[]) as made`;

/** What PostgreSQL says of a row that no partition takes: a violated check that is no constraint of a table. */
export function isWithoutPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string };
  return code === '23514' && table === 'event' && constraint === undefined;
}

/**
 * The partitions that take the events of new jobs. They are made ahead; a job whose id is of another time (a clock that jumped in the
 * database or where ids are minted) gets a partition when it comes.
 */
@Injectable()
export class LogPartitions {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly log: JobsLog,
  ) {}

  async makeAhead(): Promise<void> {
    await this.pool.query(aheadSql, [this.settings.logPartitionMs, PERIODS_AHEAD]);
  }

  /** Makes the partitions that these jobs lack, if nobody was faster. */
  async cover(jobIds: readonly string[]): Promise<void> {
    const period = this.settings.logPartitionMs;
    const times = new Map(jobIds.map(instantOf).map((instant) => [Math.floor(instant / period), instant]));
    const { rows } = await this.pool.query<{ made: readonly string[] }>(coverSql, [period, [...times.values()]]);
    const made = rows[0]?.made ?? [];
    if (made.length > 0)
      this.log.noticed(
        'the id of a job is of a time for which the log had no partition: one was made. Compare the clocks of the gateways and of the database',
        { made, jobIds: jobIds.slice(0, 10) },
      );
  }
}

/** The first 48 bits of a UUIDv7: milliseconds since 1970. */
function instantOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
