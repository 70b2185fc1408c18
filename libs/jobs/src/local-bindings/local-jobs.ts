import type { FactoryProvider, Provider } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobsPort } from '@heddle/contracts-messages';
import { CancelJobHandler } from '../cancel-job/cancel-job.handler.js';
import { GetJobHandler } from '../get-job/get-job.handler.js';
import { GetWorkflowHandler } from '../get-workflow/get-workflow.handler.js';
import { ListJobsHandler } from '../list-jobs/list-jobs.handler.js';
import { QueuePositions } from '../queue-position/queue-positions.js';
import { SubmitJobHandler } from '../submit-job/submit-job.handler.js';

const HANDLERS = [
  SubmitJobHandler,
  GetJobHandler,
  ListJobsHandler,
  GetWorkflowHandler,
  QueuePositions,
  CancelJobHandler,
];

/** The gateway's calls to this service, answered in this process: one handler per call. */
const port: FactoryProvider<JobsPort> = {
  provide: JOBS_PORT,
  inject: HANDLERS,
  useFactory: (
    submission: SubmitJobHandler,
    job: GetJobHandler,
    page: ListJobsHandler,
    workflow: GetWorkflowHandler,
    positions: QueuePositions,
    cancellation: CancelJobHandler,
  ): JobsPort => ({
    submit: (principal, wanted) => submission.handle(principal, wanted),
    isKeyClaimed: (principal, idempotencyKey) => submission.isKeyClaimed(principal, idempotencyKey),
    get: (principal, jobId) => job.handle(principal, jobId),
    list: (principal, query) => page.handle(principal, query),
    workflow: (principal, jobId) => workflow.handle(principal, jobId),
    queuePositions: (jobIds) => positions.of(jobIds),
    cancel: (principal, jobId) => cancellation.handle(principal, jobId),
  }),
};

export const LOCAL_JOBS: readonly Provider[] = [...HANDLERS, port];
