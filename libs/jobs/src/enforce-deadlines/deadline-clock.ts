import { BackgroundLogger, ClockGuard } from '@heddle/platform-database';
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
  readonly #guard: ClockGuard;
  /** Position of the last event when the clock was trusted last. */
  #position = '0';

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly log: BackgroundLogger,
    private readonly grace: RescueGrace,
  ) {
    this.#guard = new ClockGuard(settings.clockToleranceMs);
  }

  /**
   * Database time in milliseconds since 1970 that statements after the last look must not exceed: if the clock jumps
   * between the look and the statement, the statement finds nothing due. Before the first look it allows nothing.
   */
  get trustedUntilMs(): number {
    return this.#guard.trustedUntilMs;
  }

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.databaseClockOff, () => this.#guard.offMs / 1_000);
  }

  /**
   * Looks at the database's clock, once before each round that needs it. A jump renews all leases and, once it is over,
   * mends the deadlines written meanwhile. True if the clock is trusted.
   */
  async look(): Promise<boolean> {
    const askedMs = performance.now();
    const { rows } = await this.pool.query<ClockRow>({ name: 'deadline-clock', text: clockSql, values: [] });
    const { now: databaseMs, newest, position } = rows[0]!;
    const processMs = performance.now();
    await this.#observeForLeases({ processMs, databaseMs });
    const reading = { askedMs, processMs, databaseMs };
    const verdict = this.#guard.judge(reading, newest);
    if (verdict === 'jumped')
      this.log.warn('the clock of the database jumped: deadlines and purge are suspended', {
        offMs: Math.round(this.#guard.offMs),
      });
    if (verdict === 'jumped' || verdict === 'off' || verdict === 'outdated') return false;
    if (verdict === 'returned') await this.#mend();
    this.#guard.trust(reading);
    this.#position = position;
    return true;
  }

  #suspension(): string | null {
    const { offMs } = this.#guard;
    if (offMs === 0) return null;
    const { clockToleranceMs } = this.settings;
    return `it is off by ${Math.round(offMs / 1_000)} s: deadlines, purge and ageing of the log wait until it is right, or has not jumped for ${clockToleranceMs / 1_000} s`;
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
    const values = [this.#position, this.#guard.offMs, clockToleranceMs, maxRuntimeMs];
    await this.pool.query({ name: 'mend-attempts', text: mendAttemptsSql, values });
    await this.pool.query({ name: 'mend-waits', text: mendWaitsSql, values: [clockToleranceMs] });
  }
}
