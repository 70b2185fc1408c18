import { isUuid, MAX_ASKED_JOBS } from '@heddle/contracts-messages';
import type { JobId, JobLogPort } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf } from '../encode-values/call-arguments.js';
import { CALLS, JOB_FOLLOWERS } from '../internal-calls.js';

/** The serving half of JobLogPort. */
export function serveJobLogPort(routes: CallRoutes, jobLog: JobLogPort): void {
  routes.route({
    kind: 'plain',
    path: CALLS.jobLog.holdings,
    openTo: JOB_FOLLOWERS,
    handle: async ({ head }) => {
      const { jobIds } = argumentsOf<{ jobIds: readonly JobId[] }>(head, 'jobIds');
      if (!Array.isArray(jobIds) || jobIds.length > MAX_ASKED_JOBS || !jobIds.every((id) => isUuid(String(id)))) {
        throw new MalformedParcelError(`the call names no jobs, or more than ${MAX_ASKED_JOBS}`);
      }
      return { head: [...(await jobLog.holdingsOf(jobIds))] };
    },
  });
}
