import { Inject, Injectable } from '@nestjs/common';
import type {
  Answer,
  JobId,
  JobListQuery,
  JobPage,
  JobsPort,
  JobSubmission,
  JobView,
  Principal,
  SubmissionAnswer,
} from '@heddle/contracts-messages';
import { CancelJobHandler } from './cancel-job/cancel-job.handler.js';
import { GetJobHandler } from './get-job/get-job.handler.js';
import { GetWorkflowHandler } from './get-workflow/get-workflow.handler.js';
import { ListJobsHandler } from './list-jobs/list-jobs.handler.js';
import { QueuePositions } from './queue-position/queue-positions.js';
import { HeldKeys } from './submit-job/held-keys.js';
import { SubmitJobHandler } from './submit-job/submit-job.handler.js';

/** The gateway's calls to this service, answered in this process: one handler per call. */
@Injectable()
export class LocalJobs implements JobsPort {
  @Inject() private readonly submission!: SubmitJobHandler;
  @Inject() private readonly keys!: HeldKeys;
  @Inject() private readonly job!: GetJobHandler;
  @Inject() private readonly page!: ListJobsHandler;
  @Inject() private readonly workflowBytes!: GetWorkflowHandler;
  @Inject() private readonly positions!: QueuePositions;
  @Inject() private readonly cancellation!: CancelJobHandler;

  async submit(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer> {
    return await this.submission.handle(principal, submission);
  }

  async isKeyClaimed({ accountId }: Principal, idempotencyKey: string): Promise<boolean> {
    return await this.keys.isHeld(accountId, idempotencyKey);
  }

  async get(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return await this.job.handle(principal, jobId);
  }

  async list(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>> {
    return await this.page.handle(principal, query);
  }

  async workflow(principal: Principal, jobId: JobId): Promise<Answer<Uint8Array>> {
    return await this.workflowBytes.handle(principal, jobId);
  }

  async queuePositions(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    return await this.positions.of(jobIds);
  }

  async cancel(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return await this.cancellation.handle(principal, jobId);
  }
}
