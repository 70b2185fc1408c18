import type {
  Answer,
  JobId,
  JobListQuery,
  JobPage,
  JobsPort,
  JobSubmission,
  JobView,
  Principal,
} from '@heddle/contracts-messages';
import type { CancelJobHandler } from './cancel-job/cancel-job.handler.js';
import type { GetJobHandler } from './get-job/get-job.handler.js';
import type { GetWorkflowHandler } from './get-workflow/get-workflow.handler.js';
import type { ListJobsHandler } from './list-jobs/list-jobs.handler.js';
import type { QueuePositions } from './queue-position/queue-positions.js';
import type { HeldKeys } from './submit-job/held-keys.js';
import type { SubmitJobHandler } from './submit-job/submit-job.handler.js';

/** The reading half of what the gateway asks. */
export class JobReaders {
  constructor(
    readonly getJob: GetJobHandler,
    readonly listJobs: ListJobsHandler,
    readonly getWorkflow: GetWorkflowHandler,
    readonly positions: QueuePositions,
  ) {}
}

/** What the gateway asks of this service, answered in this process. */
export class LocalJobs implements JobsPort {
  constructor(
    private readonly submitJob: SubmitJobHandler,
    private readonly heldKeys: HeldKeys,
    private readonly readers: JobReaders,
    private readonly cancelJob: CancelJobHandler,
  ) {}

  async submit(principal: Principal, submission: JobSubmission): Promise<Answer<JobView>> {
    return await this.submitJob.handle(principal, submission);
  }

  async isKeyClaimed(principal: Principal, idempotencyKey: string): Promise<boolean> {
    return await this.heldKeys.isHeld(principal.accountId, idempotencyKey);
  }

  async get(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return await this.readers.getJob.handle(principal, jobId);
  }

  async list(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>> {
    return await this.readers.listJobs.handle(principal, query);
  }

  async cancel(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return await this.cancelJob.handle(principal, jobId);
  }

  async workflow(principal: Principal, jobId: JobId): Promise<Answer<Uint8Array>> {
    return await this.readers.getWorkflow.handle(principal, jobId);
  }

  async queuePositions(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    return await this.readers.positions.of(jobIds);
  }
}
