import type { Provider } from '@nestjs/common';
import { KnownJobs } from '../known-jobs/known-jobs.js';
import { KnownWorkflows } from '../known-jobs/known-workflows.js';
import { LoadJob } from '../known-jobs/load-job.js';
import { UnreadableJobs } from '../known-jobs/unreadable-jobs.js';
import { JobsSettings } from '../settings.js';
import { CommitBatch } from './commit-batch.js';
import { CommitJobEventsHandler } from './commit-job-events.handler.js';
import { CommitSubscriptions, commitSubscribers } from './commit-subscribers.js';
import { CommittedJobs } from './committed-job.js';
import { FailedJobLog } from './failed-job-log.js';

/** Decides, appends and projects the events of a job. */
export const COMMITS: readonly Provider[] = [
  UnreadableJobs,
  LoadJob,
  CommitBatch,
  CommitJobEventsHandler,
  CommittedJobs,
  FailedJobLog,
  commitSubscribers,
  CommitSubscriptions,
  {
    provide: KnownJobs,
    inject: [JobsSettings],
    useFactory: ({ knownJobs }: JobsSettings) => new KnownJobs(knownJobs),
  },
  {
    provide: KnownWorkflows,
    inject: [JobsSettings],
    useFactory: ({ knownWorkflowBytes }: JobsSettings) => new KnownWorkflows(knownWorkflowBytes),
  },
];
