// What each service serves over gRPC. An entry of its own: who only calls loads no server.
import type { JobLogPort } from '@heddle/contracts-messages';
import type { ServedContext } from '@heddle/platform-service-calls/serve';
import { servedJobLog } from './job-log/job-log.controller.js';

export { JOB_LOG_CALLS } from './job-log/job-log.controller.js';
export { LOGS_CALLS, servedLogs } from './logs/logs.controller.js';

/** Everything that other services ask of the jobs service; workers speak a protocol of their own (`work/`). */
export function servedJobs({ jobLog }: { readonly jobLog: JobLogPort }): readonly ServedContext[] {
  return [servedJobLog(jobLog)];
}
