import type { JobId, JobListQuery, JobsPort } from '@heddle/contracts-messages';
import type { Parcel, CallRoutes, IncomingCall } from '@heddle/platform-service-calls';
import { argumentsOf, principalIn } from '../encode-values/call-arguments.js';
import { CALLS, GATEWAYS } from '../internal-calls.js';
import { decodeSubmission } from './job-wire.js';

/** A submission with a workflow of the largest request body, and its labels and inputs. */
const SUBMISSION_BYTES = 16 * 1024 * 1024;

interface OfJob {
  readonly jobId: JobId;
}

/** The serving half of JobsPort: each method is one call. */
export function serveJobsPort(routes: CallRoutes, jobs: JobsPort): void {
  const call = (path: string, handle: (call: IncomingCall) => Promise<Parcel>, bodyBytes?: number): void => {
    routes.route({ kind: 'plain', path, openTo: GATEWAYS, handle, bodyBytes });
  };
  const paths = CALLS.jobs;
  call(
    paths.submit,
    async (incoming) => ({ head: await jobs.submit(principalIn(incoming.head), decodeSubmission(incoming)) }),
    SUBMISSION_BYTES,
  );
  call(paths.isKeyClaimed, async ({ head }) => {
    const { idempotencyKey } = argumentsOf<{ idempotencyKey: string }>(head, 'idempotencyKey');
    return { head: await jobs.isKeyClaimed(principalIn(head), idempotencyKey) };
  });
  call(paths.get, async ({ head }) => ({ head: await jobs.get(principalIn(head), jobIn(head)) }));
  call(paths.list, async ({ head }) => {
    const { query } = argumentsOf<{ query: JobListQuery }>(head, 'query');
    return { head: await jobs.list(principalIn(head), query) };
  });
  call(paths.cancel, async ({ head }) => ({ head: await jobs.cancel(principalIn(head), jobIn(head)) }));
  call(paths.workflow, async ({ head }) => {
    const answer = await jobs.workflow(principalIn(head), jobIn(head));
    return answer.ok ? { head: { ok: true }, bytes: [answer.value] } : { head: answer };
  });
  call(paths.queuePositions, async ({ head }) => {
    const { jobIds } = argumentsOf<{ jobIds: readonly JobId[] }>(head, 'jobIds');
    return { head: [...(await jobs.queuePositions(jobIds))] };
  });
}

function jobIn(head: unknown): JobId {
  return argumentsOf<OfJob>(head, 'jobId').jobId;
}
