import { isUuid, MAX_ASKED_ENDS, MAX_ASKED_JOBS, MAX_PAGE_MESSAGES } from '@heddle/contracts-messages';
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
    handle: async ({ head }) => ({ head: [...(await jobLog.holdingsOf(jobsIn(head, MAX_ASKED_JOBS)))] }),
  });
  routes.route({
    kind: 'plain',
    path: CALLS.jobLog.ended,
    openTo: JOB_FOLLOWERS,
    handle: async ({ head }) => ({ head: await jobLog.endedOf(jobsIn(head, MAX_ASKED_ENDS)) }),
  });
  routes.route({
    kind: 'plain',
    path: CALLS.jobLog.messages,
    openTo: JOB_FOLLOWERS,
    handle: async ({ head }) => {
      const { seq, limit } = argumentsOf<{ seq: number; limit: number }>(head, 'seq', 'limit');
      if (!Number.isSafeInteger(seq) || seq < 0 || !Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_MESSAGES) {
        throw new MalformedParcelError(`seq must be a whole number from 0, limit one from 1 to ${MAX_PAGE_MESSAGES}`);
      }
      return { head: await jobLog.messagesAfter(seq, limit) };
    },
  });
}

function jobsIn(head: unknown, limit: number): readonly JobId[] {
  const { jobIds } = argumentsOf<{ jobIds: readonly JobId[] }>(head, 'jobIds');
  if (!Array.isArray(jobIds) || jobIds.length > limit || !jobIds.every((id) => isUuid(String(id)))) {
    throw new MalformedParcelError(`jobIds must be a list of at most ${limit} UUIDs`);
  }
  return jobIds;
}
