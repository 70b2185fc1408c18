import { Injectable } from '@nestjs/common';
import { refuse, rejected } from '@heddle/contracts-messages';
import type { JobSubmission, Principal, SubmissionAnswer } from '@heddle/contracts-messages';
import { GetJobHandler } from '../get-job/get-job.handler.js';
import { HeldKeys } from './held-keys.js';
import { SubmissionWriter } from './submission-writer.js';

/**
 * POST /api/v2/jobs, by the id that its caller assigned to the job: a submission whose answer was lost is sent again, and
 * answered by the job as it is stored.
 */
@Injectable()
export class SubmitJobHandler {
  readonly #underWay = new Map<string, Promise<SubmissionAnswer>>();

  constructor(
    private readonly submissions: SubmissionWriter,
    private readonly jobs: GetJobHandler,
    private readonly keys: HeldKeys,
  ) {}

  async handle(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer> {
    const id = `${principal.accountId} ${submission.jobId}`;
    const first = this.#underWay.get(id);
    if (first !== undefined) return await first;
    const answer = this.#submit(principal, submission);
    this.#underWay.set(id, answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(id);
    }
  }

  /** Whether a submission with the key would be refused: known before its body is judged. */
  async isKeyClaimed({ accountId }: Principal, idempotencyKey: string): Promise<boolean> {
    return await this.keys.isHeld(accountId, idempotencyKey);
  }

  async #submit(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer> {
    const answer = await this.submissions.write(principal, submission);
    if (answer !== 'repeated') return answer;
    const stored = await this.jobs.handle(principal, submission.jobId);
    if (stored.ok) return stored;
    return { ...rejected(refuse('upstream_error', { case: 'submission_unknown' })), why: 'unknown' };
  }
}
