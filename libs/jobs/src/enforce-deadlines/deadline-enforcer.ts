import { Injectable } from '@nestjs/common';
import { endOverrun, expireWaiting, giveUpOnCancel, loseLease } from '@heddle/jobs-domain';
import type { JobDecision, JobState } from '@heddle/jobs-domain';
import type { JobId, JobProgress } from '@heddle/contracts-messages';
import type { BackgroundTask } from '../background-task.js';
import { SweepCommits } from '../commit-job-events/sweep-commits.js';
import { LatestProgress } from '../ingest-worker-events/latest-progress.js';
import { OverdueJobs } from './overdue-jobs.js';
import type { OverdueRow } from './overdue.sql.js';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
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
    private readonly overdue: OverdueJobs,
    private readonly commits: SweepCommits,
    private readonly latestProgress: LatestProgress,
    private readonly metrics: JobsMetrics,
  ) {}

  /** Several looks within the silence that counts as an outage (RescueGrace). */
  intervalMs({ leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs, sweepIntervalMs }: JobsSettings): number {
    return Math.min(sweepIntervalMs, Math.min(leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs) / 4, leaseMs / 12);
  }

  /** Handles what is overdue now. */
  async run(trustedUntilMs: number): Promise<boolean> {
    const rows = await this.overdue.find(trustedUntilMs, this.commits.leftAlone);
    await Promise.all(rows.map(async (row) => await this.#settle(row)));
    return rows.length > 0;
  }

  async #settle(row: OverdueRow): Promise<void> {
    const { deadline } = row;
    const jobId = row.job_id as JobId;
    const progress = deadline === 'queue' ? null : await this.latestProgress.of(jobId);
    const decide = (state: JobState): JobDecision => rules[deadline](state, row, progress);
    const step = { decide, workerSequence: null, correlation: `deadline:${deadline}` };
    const hasChanged = await this.commits.handle(jobId, step);
    if (hasChanged && deadline === 'lease') this.metrics.leaseExpired();
  }
}
