import { Injectable } from '@nestjs/common';
import { refuse, rejected } from '@heddle/contracts-messages';
import type { JobId, JobSubmission, Principal, SubmissionAnswer } from '@heddle/contracts-messages';
import { jobView } from '../get-job/job-view.js';
import { JobsSettings } from '../settings.js';
import { QueuePositions } from '../queue-position/queue-positions.js';
import { JobHandOver } from './job-hand-over.js';
import type { CreatedVerdict } from './job-hand-over.js';
import { planSubmission } from './plan-submission.js';
import { SubmissionQueue } from './submission-queue.js';
import type { BatchVerdict } from './submission-batch.js';

/** From validated graph to durable job. Answers after the commit, and leaves no trace when it refuses. */
@Injectable()
export class SubmissionWriter {
  constructor(
    private readonly queue: SubmissionQueue,
    private readonly handOver: JobHandOver,
    private readonly positions: QueuePositions,
    private readonly settings: JobsSettings,
  ) {}

  /** `repeated`: the same submission made its job before. */
  async write(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer | 'repeated'> {
    const planned = planSubmission(principal, submission, this.settings);
    const lease = this.handOver.prepare(planned, this.queue.isIdle);
    let verdict: BatchVerdict | null = null;
    try {
      verdict = await this.queue.submit({ ...planned.item, lease });
    } finally {
      if (verdict?.kind !== 'created') await this.handOver.withdraw(planned, lease, verdict);
    }
    if (verdict.kind === 'repeated') return 'repeated';
    if (verdict.kind !== 'created') return this.#refusal(verdict);
    const state = await this.handOver.publish(planned, verdict, lease);
    const { jobId } = submission;
    const { accountId, deploymentId } = principal;
    const position = await this.#position(jobId, principal, verdict);
    return { ok: true, value: jobView({ jobId, accountId, deploymentId, state }, position) };
  }

  /** The job is durable: whatever happens to this question, the answer is that it was created. */
  async #position(jobId: JobId, principal: Principal, { position, rank }: CreatedVerdict): Promise<number> {
    if (rank === position) return position;
    return (await this.positions.ofSubmitted(jobId, principal, rank).catch(() => null)) ?? position;
  }

  #refusal(verdict: Exclude<BatchVerdict, CreatedVerdict | { kind: 'repeated' }>): SubmissionAnswer {
    switch (verdict.kind) {
      case 'key_reuse':
        return { ...rejected(refuse('idempotency_key_reuse', { case: 'submission' })), why: 'key_claimed' };
      case 'queue_full':
        return {
          ...rejected(
            refuse('queue_full', { case: 'depth' }, { retryAfterSeconds: this.settings.queueFullRetrySeconds }),
          ),
          why: 'queue_full',
        };
      case 'unknown':
        return { ...rejected(refuse('upstream_error', { case: 'submission_unknown' })), why: 'unknown' };
    }
  }
}
