import { LOG_BYTES } from '@heddle/contracts-messages';
import type { CapturedLog, JobId, LogsPort } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf, isId, principalIn } from '../encode-values/call-arguments.js';
import { CALLS, GATEWAYS, WORKERS } from '../internal-calls.js';
import { OUTAGES, underLease, workerLeaseIn } from '../lease-authority/worker-lease.js';

const HEAD_BYTES = 16 * 1024;

type Flag = keyof Pick<CapturedLog, 'truncated' | 'complete'>;

/** The serving half of LogsPort. The text of a captured log travels behind the head as it is. */
export function serveLogsPort(routes: CallRoutes, logs: LogsPort): void {
  routes.route({
    kind: 'plain',
    path: CALLS.logs.capture,
    openTo: WORKERS,
    bodyBytes: LOG_BYTES + HEAD_BYTES,
    tells: OUTAGES,
    handle: async (call) => {
      const { truncated, complete } = argumentsOf<Record<Flag, unknown>>(call.head, 'truncated', 'complete');
      if (typeof truncated !== 'boolean' || typeof complete !== 'boolean') {
        throw new MalformedParcelError("'truncated' and 'complete' of the call are not true or false");
      }
      const { bytes } = call;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
      const log = { ...workerLeaseIn(call), text, truncated, complete };
      return { head: await underLease(async () => await logs.capture(log)) };
    },
  });
  routes.route({
    kind: 'plain',
    path: CALLS.logs.read,
    openTo: GATEWAYS,
    handle: async ({ head }) => {
      const answer = await logs.read(principalIn(head), jobIn(head));
      if (!answer.ok) return { head: answer };
      const { text, ...value } = answer.value;
      return { head: { ok: true, value }, bytes: [Buffer.from(text)] };
    },
  });
}

function jobIn(head: unknown): JobId {
  const { jobId } = argumentsOf<{ jobId: JobId }>(head, 'jobId');
  if (!isId(jobId)) throw new MalformedParcelError('the call names no job');
  return jobId;
}
