import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import type { Observed } from '../jobs-telemetry/observed.js';
import { JOBS_METRICS } from '../metrics.js';
import { JobsSettings } from '../settings.js';
import { clockSql } from './deadline-clock.sql.js';
import type { ClockRow } from './deadline-clock.sql.js';
import { renewAllSql } from './overdue.sql.js';
import { RescueGrace } from './rescue-grace.js';
import type { ClockLook } from './rescue-grace.js';
import { mendAttemptsSql } from './mend-attempts.sql.js';
import { mendWaitsSql } from './mend-waits.sql.js';
import { JOBS_POOL } from '../jobs-connections.js';

/**
 * Checks that the database's clock advances like this process's monotonic clock. While it does not, no deadline ends a
 * job and nothing is purged. Leases have a stricter rule (rescue-grace.ts), which judges every look. A clock that stays
 * off after a jump, as on a machine that slept, is trusted again once its tolerance has passed. When the clock returns,
 * attempts leased meanwhile get the deadlines that they would have had, and jobs queued by a clock that was ahead do not
 * wait for it.
 */
@Injectable()
export class DeadlineClock implements Observed {
  readonly readinessCheck = { name: 'database clock', check: () => this.#suspension() };
  #last: { readonly databaseMs: number; readonly processMs: number; readonly position: string } | null = null;
  #jumpedAt: number | null = null;
  #offMs = 0;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly log: BackgroundLogger,
    private readonly grace: RescueGrace,
  ) {}

  /**
   * Database time in milliseconds since 1970 that statements after the last look must not exceed: if the clock jumps
   * between the look and the statement, the statement finds nothing due. Before the first look it allows nothing.
   */
  get trustedUntilMs(): number {
    return this.#last === null ? -Infinity : this.#last.databaseMs + this.settings.clockToleranceMs;
  }

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.databaseClockOff, () => this.#offMs / 1_000);
  }

  /**
   * Looks at the database's clock, once before each round that needs it. A jump renews all leases and, once it is over,
   * mends the deadlines written meanwhile. True if the clock is trusted.
   */
  async look(): Promise<boolean> {
    const { clockToleranceMs } = this.settings;
    const askedMs = performance.now();
    const { rows } = await this.pool.query<ClockRow>({ name: 'deadline-clock', text: clockSql, values: [] });
    const { now: databaseMs, newest, position } = rows[0]!;
    const processMs = performance.now();
    await this.#observeForLeases({ processMs, databaseMs });
    // A later look has seen a jump: this one's answer is older.
    if (this.#jumpedAt !== null && askedMs < this.#jumpedAt) return false;
    const offMs = this.#offBy(databaseMs, newest, processMs);
    const hasJumped = Math.abs(offMs) > clockToleranceMs;
    if (hasJumped && this.#jumpedAt === null) {
      this.#jumpedAt = processMs;
      this.log.warn('the clock of the database jumped: deadlines and purge are suspended', {
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

  #suspension(): string | null {
    if (this.#offMs === 0) return null;
    const { clockToleranceMs } = this.settings;
    return `it is off by ${Math.round(this.#offMs / 1_000)} s: deadlines, purge and ageing of the log wait until it is right, or has not jumped for ${clockToleranceMs / 1_000} s`;
  }

  /** Leases have a smaller tolerance than retention and runtimes, and a grace period of their own. */
  async #observeForLeases(look: ClockLook): Promise<void> {
    const reason = this.grace.observe(look);
    if (reason === null || reason === 'start') return;
    const { leaseMs, rescueGraceMs } = this.settings;
    this.log.warn(`lease rescue is paused for ${rescueGraceMs / 1000} s: workers renew first`, {
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
