import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';
import { JobsSettings } from '../settings.js';
import { oldestSnapshotSql, type OldestSnapshotRow } from './oldest-snapshot.js';
import { JOBS_POOL } from '../jobs-connections.js';

const MAX_INTERVAL_MS = 10_000;

/**
 * An open snapshot keeps vacuum from removing every row changed since: queue, counters and cursors grow, and every
 * statement on them slows down until it ends. A session that holds one too long is named in log, readiness and metric;
 * none is terminated.
 */
@Injectable()
export class SnapshotCheck implements BackgroundTask, Observed {
  readonly failure = 'open snapshots were not checked';
  readonly needsClock = false;
  readonly readinessCheck = { name: 'snapshots', check: () => this.#reason };
  /** Age of the oldest snapshot at the last look; 0 if there is none. */
  #seconds = 0;
  /** Who holds a snapshot for too long, and what to do; null if no session does. */
  #reason: string | null = null;
  #loggedPid: number | null = null;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly log: BackgroundLogger,
  ) {}

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.oldestSnapshot, () => this.#seconds);
  }

  intervalMs({ snapshotAlarmMs }: JobsSettings): number {
    return Math.min(MAX_INTERVAL_MS, snapshotAlarmMs / 4);
  }

  async run(): Promise<boolean> {
    const { rows } = await this.pool.query<OldestSnapshotRow>(oldestSnapshotSql);
    const { pid, application, role, seconds } = rows[0] ?? { pid: null, application: null, role: null, seconds: null };
    this.#seconds = seconds ?? 0;
    const isOld = pid !== null && this.#seconds * 1_000 >= this.settings.snapshotAlarmMs;
    this.#reason = isOld
      ? `the session with pid ${pid} (${application}, role ${role}) has had a snapshot open for ${Math.round(this.#seconds)} s, which keeps ` +
        'vacuum from the tables of jobs: end it, and take base backups instead of dumps'
      : null;
    // Once per session, while it lasts.
    if (this.#reason !== null && this.#loggedPid !== pid)
      this.log.warn('a snapshot is open for too long', { reason: this.#reason, pid, application, role });
    this.#loggedPid = isOld ? pid : null;
    return false;
  }
}
