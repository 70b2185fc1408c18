import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { JobsLog } from '../jobs-log.js';
import { JobsSettings } from '../settings.js';
import { oldestSnapshotSql, type OldestSnapshotRow } from './oldest-snapshot.js';
import { JOBS_POOL } from '../jobs-connections.js';

/**
 * An open snapshot keeps vacuum from removing every row changed since: queue, counters and cursors grow, and every
 * statement on them slows down until it ends. A session that holds one too long is named in log, readiness and metric;
 * none is terminated.
 */
@Injectable()
export class SnapshotWatch {
  #seconds = 0;
  #reason: string | null = null;
  #toldPid: number | null = null;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly log: JobsLog,
  ) {}

  /** Age of the oldest snapshot at the last look; 0 if there is none. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Who holds a snapshot for too long, and what to do; null if nobody does. */
  get reason(): string | null {
    return this.#reason;
  }

  async look(): Promise<void> {
    const { rows } = await this.pool.query<OldestSnapshotRow>(oldestSnapshotSql);
    const { pid, application, role, seconds } = rows[0] ?? { pid: null, application: null, role: null, seconds: null };
    this.#seconds = seconds ?? 0;
    const isOld = pid !== null && this.#seconds * 1_000 >= this.settings.snapshotAlarmMs;
    this.#reason = isOld
      ? `the session with pid ${pid} (${application}, role ${role}) has had a snapshot open for ${Math.round(this.#seconds)} s, which keeps ` +
        'vacuum from the tables of jobs: end it, and take base backups instead of dumps'
      : null;
    // Once per session, while it lasts.
    if (this.#reason !== null && this.#toldPid !== pid)
      this.log.noticed('a snapshot is open for too long', { reason: this.#reason, pid, application, role });
    this.#toldPid = isOld ? pid : null;
  }
}
