import { Injectable } from '@nestjs/common';
import { isLeased, loseLease } from '@heddle/jobs-domain';
import type { JobDecision, JobState } from '@heddle/jobs-domain';
import type { LeaseKey, WorkerIdentity } from '@heddle/contracts-messages';
import { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import { AttemptStarts } from './attempt-starts.js';
import { LatestProgress } from '../ingest-worker-events/latest-progress.js';
import { namesLease } from './lease-name.js';

/** A worker hands back a job that has not ended: it is queued again at its old position. */
@Injectable()
export class HandBackLeaseHandler {
  constructor(
    private readonly commit: CommitJobEventsHandler,
    private readonly latestProgress: LatestProgress,
    private readonly starts: AttemptStarts,
  ) {}

  /** Another worker's lease is not affected. */
  async handle({ workerId, deploymentId }: WorkerIdentity, lease: LeaseKey): Promise<void> {
    if (!namesLease(lease)) return;
    const { jobId, fence } = lease;
    const progress = await this.latestProgress.of(jobId);
    const started = await this.starts.isStarted({ jobId, fence });
    const decide = (state: JobState): JobDecision => {
      if (isLeased(state) && state.lease.workerId !== workerId) return { ok: false, rejection: 'stale_fence' };
      return loseLease(state, { fence, reason: 'handed_back', detail: null, progress, started });
    };
    await this.commit.handle(jobId, [{ decide, workerSequence: null, correlation: workerId }], deploymentId);
  }
}
