import { isLeased, loseLease } from '@heddle/jobs-domain';
import type { LeaseKey } from '@heddle/contracts-messages';
import type { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import type { LatestProgress } from '../ingest-worker-events/latest-progress.js';

/** A draining worker gives a job back before it ended: it is queued again, at its old place. */
export class HandBackLeaseHandler {
  constructor(
    private readonly commit: CommitJobEventsHandler,
    private readonly latestProgress: LatestProgress,
  ) {}

  async handle(workerId: string, { jobId, fence }: LeaseKey): Promise<void> {
    const progress = await this.latestProgress.of(jobId);
    await this.commit.handle(jobId, [
      {
        decide: (state) => {
          if (isLeased(state) && state.lease.workerId !== workerId) return { ok: false, rejection: 'stale_fence' };
          return loseLease(state, { fence, reason: 'handed_back', detail: null, progress });
        },
        workerSequence: null,
        correlation: workerId,
      },
    ]);
  }
}
