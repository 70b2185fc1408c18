import { Inject, Injectable } from '@nestjs/common';
import { endOverrun, expireWaiting, giveUpOnCancel, loseLease } from '@heddle/jobs-domain';
import type { JobDecision, JobState } from '@heddle/jobs-domain';
import type { JobId, JobProgress } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import type { BackgroundTask } from '../background-task.js';
import { SweepCommits } from '../commit-job-events/sweep-commits.js';
import { LatestProgress } from '../ingest-worker-events/latest-progress.js';
import { overdueSql } from './overdue.sql.js';
import type { OverdueRow } from './overdue.sql.js';
import { RescueGrace } from './rescue-grace.js';
import { JOBS_POOL } from '../jobs-connections.js';
import type { JobsSettings } from '../settings.js';

type Rule = (state: JobState, row: OverdueRow, progress: JobProgress | null) => JobDecision;

const rules: Readonly<Record<OverdueRow['deadline'], Rule>> = {
  lease: (state, { fence, started }, progress) =>
    loseLease(state, { fence, reason: 'expired', detail: null, progress, started }),
  attempt: (state, { fence }, progress) => endOverrun(state, fence, progress),
  cancel: (state, { fence }, progress) => giveUpOnCancel(state, fence, progress),
  queue: expireWaiting,
};

/**
 * Rescues expired leases, ends overrun attempts and unconfirmed cancels, and expires jobs that waited too long. Any
 * number of processes may do so: the version decides whose change counts.
 */
@Injectable()
export class DeadlineEnforcer implements BackgroundTask {
  readonly failure = 'deadlines were not checked';
  readonly needsClock = true;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly commits: SweepCommits,
    private readonly latestProgress: LatestProgress,
    private readonly grace: RescueGrace,
  ) {}

  /** Several looks within the silence that counts as an outage (RescueGrace). */
  intervalMs({ leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs, sweepIntervalMs }: JobsSettings): number {
    return Math.min(sweepIntervalMs, Math.min(leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs) / 4, leaseMs / 12);
  }

  /** Handles what is overdue now. */
  async run(trustedUntilMs: number): Promise<boolean> {
    const values = [trustedUntilMs, this.grace.trustedUntilMs, this.grace.since, this.commits.leftAlone];
    const { rows } = await this.pool.query<OverdueRow>({ name: 'overdue', text: overdueSql, values });
    // A job may have passed several deadlines: only the first in the statement's order counts.
    const jobs = new Map<string, OverdueRow>();
    for (const row of rows) if (!jobs.has(row.job_id)) jobs.set(row.job_id, row);
    await Promise.all([...jobs.values()].map(async (row) => await this.#settle(row)));
    return jobs.size > 0;
  }

  async #settle(row: OverdueRow): Promise<void> {
    const { deadline } = row;
    const jobId = row.job_id as JobId;
    const progress = deadline === 'queue' ? null : await this.latestProgress.of(jobId);
    const decide = (state: JobState): JobDecision => rules[deadline](state, row, progress);
    await this.commits.handle(jobId, { decide, workerSequence: null, correlation: `deadline:${deadline}` });
  }
}
