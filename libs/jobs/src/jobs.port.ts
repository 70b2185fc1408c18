import type { FactoryProvider } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobsPort } from '@heddle/contracts-messages';
import { CancelJobHandler } from './cancel-job/cancel-job.handler.js';
import { GetJobHandler } from './get-job/get-job.handler.js';
import { GetWorkflowHandler } from './get-workflow/get-workflow.handler.js';
import { ListJobsHandler } from './list-jobs/list-jobs.handler.js';
import { QueuePositions } from './queue-position/queue-positions.js';
import { HeldKeys } from './submit-job/held-keys.js';
import { SubmitJobHandler } from './submit-job/submit-job.handler.js';

/** One handler per call of the port, in the order of a job's lifecycle. */
export const JOBS_HANDLERS = [
  SubmitJobHandler,
  HeldKeys,
  GetJobHandler,
  ListJobsHandler,
  GetWorkflowHandler,
  QueuePositions,
  CancelJobHandler,
] as const;
type Handlers = [
  submit: SubmitJobHandler,
  keys: HeldKeys,
  get: GetJobHandler,
  list: ListJobsHandler,
  workflow: GetWorkflowHandler,
  positions: QueuePositions,
  cancel: CancelJobHandler,
];

/** The gateway's calls to this service, answered in this process. */
export const jobsPort: FactoryProvider<JobsPort> = {
  provide: JOBS_PORT,
  inject: [...JOBS_HANDLERS],
  useFactory: (...[submit, keys, get, list, workflow, positions, cancel]: Handlers): JobsPort => ({
    submit: (principal, submission) => submit.handle(principal, submission),
    isKeyClaimed: (principal, idempotencyKey) => keys.isHeld(principal.accountId, idempotencyKey),
    get: (principal, jobId) => get.handle(principal, jobId),
    list: (principal, query) => list.handle(principal, query),
    workflow: (principal, jobId) => workflow.handle(principal, jobId),
    queuePositions: (jobIds) => positions.of(jobIds),
    cancel: (principal, jobId) => cancel.handle(principal, jobId),
  }),
};
