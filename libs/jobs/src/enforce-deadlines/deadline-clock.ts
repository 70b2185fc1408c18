import { Inject, Injectable } from '@nestjs/common';
import { eventOfNumberSql } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JobsLog } from '../jobs-log.js';
import { JobsSettings } from '../settings.js';
import { renewAllSql } from './overdue.sql.js';
import { RescueGrace } from './rescue-grace.js';
import type { ClockLook } from './rescue-grace.js';
import { mendAttemptsSql } from './mend-attempts.sql.js';
import { mendWaitsSql } from './mend-waits.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

interface ClockRow {
  readonly now: number;
  /** Time of the last sequenced event. */
  readonly newest: number | null;
  /** Position of that event; later ones may have been written. */
  readonly position: string;
}

const clockSql = `
select (extract(epoch from heddle.clock_now()) * 1000)::float8 as now, n.newest, coalesce(n.position, 0)::text as position
  from (select 1) one left join lateral (
    select (extract(epoch from e.recorded_at) * 1000)::float8 as newest, e.position
      from (select * from jobs.event_seq order by seq desc limit 1) s ${eventOfNumberSql('jobs', 's')}) n on true`;

/**
 * Checks that the database's clock advances like this process's monotonic clock. While it does not, no deadline ends a
 * job and nothing is purged. Leases have a stricter rule of their own (rescue-grace.ts), which sees every look. A clock
 * that stays off after a jump is trusted again after as long as it may be off; a machine that slept is such a case.
 * When it returns, attempts leased meanwhile get the deadlines that they would have had, and jobs queued by a clock
 * that was ahead need not wait for it.
 */
@Injectable()
export class DeadlineClock {
  #last: { readonly databaseMs: number; readonly processMs: number; readonly position: string } | null = null;
  #jumpedAt: number | null = null;
  #offMs = 0;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly log: JobsLog,
    private readonly grace: RescueGrace,
  ) {}

  /**
   * Database time in milliseconds since 1970 that statements after the last look must not exceed: if the clock jumps
   * between the look and the statement, the statement finds nothing due. Before the first look it allows nothing.
   */
  get trustedUntilMs(): number {
    return this.#last === null ? -Infinity : this.#last.databaseMs + this.settings.clockToleranceMs;
  }

  async isSane(): Promise<boolean> {
    const { clockToleranceMs } = this.settings;
    const askedMs = performance.now();
    const { rows } = await this.pool.query<ClockRow>({ name: 'deadline-clock', text: clockSql, values: [] });
    const { now: databaseMs, newest, position } = rows[0]!;
    const processMs = performance.now();
    await this.#grant({ processMs, databaseMs });
    // A later look has seen a jump: this one's answer is older.
    if (this.#jumpedAt !== null && askedMs < this.#jumpedAt) return false;
    const offMs = this.#offBy(databaseMs, newest, processMs);
    const hasJumped = Math.abs(offMs) > clockToleranceMs;
    if (hasJumped && this.#jumpedAt === null) {
      this.#jumpedAt = processMs;
      this.log.noticed('the clock of the database jumped: deadlines and purge are suspended', {
        offMs: Math.round(offMs),
      });
    }
    if (!hasJumped && this.#jumpedAt !== null) await this.#mend();
    const isBelieved = !hasJumped || processMs - this.#jumpedAt! > clockToleranceMs;
    this.#offMs = isBelieved ? 0 : offMs;
    if (!isBelieved) return false;
    this.#jumpedAt = null;
    this.#last = { databaseMs, processMs, position };
    return true;
  }

  /** Leases have a smaller tolerance than retention and runtimes, and a grace period of their own. */
  async #grant(look: ClockLook): Promise<void> {
    const reason = this.grace.observe(look);
    if (reason === null || reason === 'start') return;
    const { leaseMs, rescueGraceMs } = this.settings;
    this.log.noticed(`lease rescue is paused for ${rescueGraceMs / 1000} s: workers renew first`, {
      reason,
      graceMs: rescueGraceMs,
    });
    if (reason === 'clock_jump')
      await this.pool.query({ name: 'renew-all-leases', text: renewAllSql, values: [leaseMs] });
  }

  async #mend(): Promise<void> {
    const { clockToleranceMs, maxRuntimeMs } = this.settings;
    const values = [this.#last?.position ?? '0', this.#offMs, clockToleranceMs, maxRuntimeMs];
    await this.pool.query({ name: 'mend-attempts', text: mendAttemptsSql, values });
    await this.pool.query({ name: 'mend-waits', text: mendWaitsSql, values: [clockToleranceMs] });
  }

  /** At the first look only a clock behind the newest event is known to be wrong. */
  #offBy(databaseMs: number, newest: number | null, processMs: number): number {
    if (this.#last === null) return Math.min(0, databaseMs - (newest ?? databaseMs));
    return databaseMs - (this.#last.databaseMs + (processMs - this.#last.processMs));
  }
}
