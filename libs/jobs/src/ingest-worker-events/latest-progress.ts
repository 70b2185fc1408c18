import { Inject, Injectable } from '@nestjs/common';
import type { JobId, JobProgress, ProgressReported } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { GroupCommit } from '../group-commit/group-commit.js';
import { JOBS_POOL } from '../jobs-connections.js';

/**
 * Only the newest (fence, sequence) of a job leased under that fence. The rows are locked, in one order, against the
 * end of their job, so that no snapshot outlives it. Losing the last ones in a crash is harmless, so the commit does
 * not wait for the disk.
 */
const upsertSql = `
with settings as materialized (select set_config('synchronous_commit', 'off', true) as off),
item as materialized (
  select i.* from settings, unnest($1::uuid[], $2::int[], $3::bigint[], $4::float8[], $5::text[])
    as i(job_id, fence, sequence, value, snapshot)
),
live as materialized (
  select i.* from (select * from item order by job_id) i cross join lateral (
    select from jobs.queue q where q.job_id = i.job_id and q.fence = i.fence and q.state <> 'queued' limit 1 for key share) q
)
insert into jobs.job_progress as p (job_id, fence, sequence, value, snapshot)
select job_id, fence, sequence, value, snapshot::json from live order by job_id
on conflict (job_id) do update set fence = excluded.fence, sequence = excluded.sequence,
  value = greatest(p.value, excluded.value), snapshot = excluded.snapshot
where (p.fence, p.sequence) < (excluded.fence, excluded.sequence)`;

const latestSql = `select value, snapshot from jobs.job_progress where job_id = $1`;

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
      text: latestSql,
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
      text: upsertSql,
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
