import { Injectable } from '@nestjs/common';
import { isEndedStatus, requestCancel } from '@heddle/jobs-domain';
import type { Answer, JobId, JobView, Principal } from '@heddle/contracts-messages';
import { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import { GetJobHandler } from '../get-job/get-job.handler.js';

/** POST /api/v2/jobs/{id}/cancel: idempotent; an ended job is returned unchanged. */
@Injectable()
export class CancelJobHandler {
  constructor(
    private readonly getJob: GetJobHandler,
    private readonly commit: CommitJobEventsHandler,
  ) {}

  async handle(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    const found = await this.getJob.handle(principal, jobId);
    if (!found.ok || isEndedStatus(found.value.status) || found.value.status === 'canceling') return found;
    await this.commit.handle(jobId, [{ decide: requestCancel, workerSequence: null, correlation: 'cancel-job' }]);
    return await this.getJob.handle(principal, jobId);
  }
}
