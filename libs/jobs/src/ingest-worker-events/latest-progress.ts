import { Inject, Injectable } from '@nestjs/common';
import type { JobId, JobProgress, ProgressReported } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { GroupCommit } from '../group-commit/group-commit.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { keepProgressSql, latestProgressSql } from './latest-progress.sql.js';

/** Volatile progress: the newest snapshot of each running job (docs/architecture/01-job-lifecycle.md). */
@Injectable()
export class LatestProgress {
  readonly #group: GroupCommit<ProgressReported, null>;

  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {
    this.#group = new GroupCommit(async (reports) => await this.#write(reports), { batchSize: 256, inFlight: 1 });
  }

  async keep(report: ProgressReported): Promise<void> {
    await this.#group.add(report);
  }

  async of(jobId: JobId): Promise<JobProgress | null> {
    const { rows } = await this.pool.query<{ value: number; snapshot: JobProgress }>({
      name: 'latest-progress',
      text: latestProgressSql,
      values: [jobId],
    });
    const row = rows[0];
    return row === undefined ? null : { ...row.snapshot, value: row.value };
  }

  async #write(reports: readonly ProgressReported[]): Promise<readonly null[]> {
    const newest = new Map<JobId, ProgressReported>();
    for (const report of reports) {
      const known = newest.get(report.jobId);
      if (known === undefined || isNewer(report, known)) newest.set(report.jobId, report);
    }
    const rows = [...newest.values()];
    await this.pool.query({
      name: 'keep-progress',
      text: keepProgressSql,
      values: [
        plainArray(rows.map((row) => row.jobId)),
        plainArray(rows.map((row) => row.fence)),
        plainArray(rows.map((row) => row.sequence)),
        plainArray(rows.map((row) => row.progress.value)),
        rows.map((row) => JSON.stringify(row.progress)),
      ],
    });
    return reports.map(() => null);
  }
}

function isNewer(one: ProgressReported, other: ProgressReported): boolean {
  return one.fence > other.fence || (one.fence === other.fence && one.sequence > other.sequence);
}
