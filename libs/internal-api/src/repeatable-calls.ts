import type { CalledMethod } from '@heddle/platform-service-calls/call';
import { JobLogServiceService } from './generated/heddle/jobs/v1/job_log.js';
import { LogsServiceService } from './generated/heddle/logs/v1/logs.js';

/** Calls that change nothing, or come to the same when they arrive twice: a channel makes them again by itself. */
export const REPEATABLE_CALLS: readonly CalledMethod[] = [
  ...Object.values(JobLogServiceService),
  ...Object.values(LogsServiceService),
];
