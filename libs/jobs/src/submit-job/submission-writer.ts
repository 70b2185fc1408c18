import { Injectable } from '@nestjs/common';
import { refuse, rejected } from '@heddle/contracts-messages';
import type { JobId, JobSubmission, Principal, SubmissionAnswer } from '@heddle/contracts-messages';
import { jobView } from '../get-job/job-view.js';
import { QueuePositions } from '../queue-position/queue-positions.js';
import { JobHandOver } from './job-hand-over.js';
import type { CreatedVerdict } from './job-hand-over.js';
import { SubmissionPlans } from './submission-plans.js';
import { SubmissionQueue } from './submission-queue.js';
import type { BatchVerdict } from './submission-batch.js';

/** A submission is planned again when the terms change below it; more changes than this are not a coincidence. */
const MAX_TERMS_CHANGES = 10;

/** The gateway learns of a new revision within this time, and validates against it. */
const RECHECK_SECONDS = 1;

/** From validated graph to durable job. Answers after the commit, and leaves no trace when it refuses. */
@Injectable()
export class SubmissionWriter {
  constructor(
    private readonly queue: SubmissionQueue,
    private readonly handOver: JobHandOver,
    private readonly positions: QueuePositions,
    private readonly plans: SubmissionPlans,
  ) {}

  /** `repeated`: the same submission made its job before. */
  async write(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer | 'repeated'> {
    for (let change = 0; change < MAX_TERMS_CHANGES; change += 1) {
      const answer = await this.#write(principal, submission);
      if (answer !== 'terms_changed') return answer;
      await this.plans.termsChanged(principal);
    }
    throw new Error(`the terms of deployment ${principal.deploymentId} changed ${MAX_TERMS_CHANGES} times in a row`);
  }

  async #write(
    principal: Principal,
    submission: JobSubmission,
  ): Promise<SubmissionAnswer | 'repeated' | 'terms_changed'> {
    const planned = this.plans.plan(principal, submission);
    const prepared = this.handOver.prepare(planned, this.queue.isIdle);
    const { lease } = prepared;
    let verdict: BatchVerdict | null = null;
    try {
      verdict = await this.queue.submit({ ...planned.item, ...prepared });
    } finally {
      if (verdict?.kind !== 'created') await this.handOver.withdraw(planned, lease, verdict);
    }
    if (verdict.kind === 'repeated' || verdict.kind === 'terms_changed') return verdict.kind;
    if (verdict.kind !== 'created') return this.#refusal(verdict);
    const state = await this.handOver.publish(planned, verdict, lease);
    const { jobId } = submission;
    const { accountId, deploymentId } = principal;
    const position = await this.#position(jobId, principal, verdict);
    return { ok: true, value: jobView({ jobId, accountId, deploymentId, state }, position) };
  }

  /** The job is durable: even if this query fails, the answer is that the job was created. */
  async #position(jobId: JobId, principal: Principal, { position, rank }: CreatedVerdict): Promise<number> {
    if (rank === position) return position;
    return (await this.positions.ofSubmitted(jobId, principal, rank).catch(() => null)) ?? position;
  }

  #refusal(verdict: Exclude<BatchVerdict, CreatedVerdict | { kind: 'repeated' | 'terms_changed' }>): SubmissionAnswer {
    switch (verdict.kind) {
      case 'key_reuse':
        return { ...rejected(refuse('idempotency_key_reuse', { case: 'submission' })), why: 'key_claimed' };
      case 'queue_full':
        return {
          ...rejected(
            refuse('queue_full', { case: 'depth' }, { retryAfterSeconds: this.plans.settings.queueFullRetrySeconds }),
          ),
          why: 'queue_full',
        };
      case 'insufficient_credits': {
        const { required, balance } = verdict;
        const refusal = refuse(
          'insufficient_credits',
          { case: 'submission', required, balance },
          { details: { required, balance } },
        );
        return { ...rejected(refusal), why: 'insufficient_credits' };
      }
      case 'revision_closed':
        return {
          ...rejected(
            refuse('deployment_unavailable', { case: 'environment_changed' }, { retryAfterSeconds: RECHECK_SECONDS }),
          ),
          why: 'revision_closed',
        };
      case 'unknown':
        return { ...rejected(refuse('upstream_error', { case: 'submission_unknown' })), why: 'unknown' };
    }
  }
}
