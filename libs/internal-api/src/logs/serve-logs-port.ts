import { isUuid, LOG_BYTES } from '@heddle/contracts-messages';
import type { CapturedLog, JobId, LogsPort } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf, principalIn } from '../encode-values/call-arguments.js';
import { CALLS, GATEWAYS, WORKERS } from '../internal-calls.js';
import { foreign } from '../leases/bound-worker.js';

/** The text travels behind the head as it is. */
export type WireCapture = Omit<CapturedLog, 'text'>;

const HEAD_BYTES = 16 * 1024;

/** The serving half of LogsPort. A worker of one deployment captures for no other. */
export function serveLogsPort(routes: CallRoutes, logs: LogsPort): void {
  routes.route({
    kind: 'plain',
    path: CALLS.logs.capture,
    openTo: WORKERS,
    bodyBytes: LOG_BYTES + HEAD_BYTES,
    handle: async ({ head, bytes, caller }) => {
      const wire = argumentsOf<WireCapture>(head, 'jobId', 'fence', 'truncated', 'complete', 'expiresAt');
      const principal = principalIn(head);
      const { deploymentId } = principal;
      if (caller.deploymentId !== null && caller.deploymentId !== deploymentId) throw foreign(caller, deploymentId);
      const { fence, truncated, complete, expiresAt } = wire;
      if (!Number.isSafeInteger(fence) || fence < 1 || Number.isNaN(Date.parse(expiresAt))) {
        throw new MalformedParcelError('a captured log has a fence from 1 on and an instant of expiry');
      }
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
      const log = { jobId: jobIn(head), fence, principal, text, truncated, complete, expiresAt };
      return { head: await logs.capture(log) };
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
  if (!isUuid(String(jobId))) throw new MalformedParcelError('the call names no job');
  return jobId;
}
