import { LeaseRefusedError } from '@heddle/contracts-messages';
import type { DeploymentId, JobId, LeaseKey, WorkerLease } from '@heddle/contracts-messages';
import { CallRefusal, MalformedParcelError } from '@heddle/platform-service-calls';
import type { IncomingCall, ServiceIdentity } from '@heddle/platform-service-calls';
import { argumentsOf, isId } from '../encode-values/call-arguments.js';

const MAX_FENCE = 2 ** 31 - 1;
const MAX_WORKER_ID = 200;

/** Errors that mean an outage to the worker that called: it tries again. */
export const OUTAGES: readonly string[] = ['ServiceAwayError', 'BlobStoreUnavailableError'];

/**
 * The name under which a worker holds leases. Where its token is bound to a deployment the name is too: no other
 * deployment's worker can use its leases, whatever name it gives itself.
 */
export function boundWorkerId({ deploymentId }: ServiceIdentity, workerId: string): string {
  return deploymentId === null ? workerId : `${workerId}@${deploymentId}`;
}

export function leaseIn(head: unknown): LeaseKey {
  const { lease } = argumentsOf<{ lease: Readonly<Record<string, unknown>> | null }>(head, 'lease');
  const { jobId, fence } = lease ?? {};
  if (isId(jobId) && isFence(fence)) return { jobId: jobId as JobId, fence };
  throw new MalformedParcelError(`the call names no lease: a job id and a fence from 1 to ${MAX_FENCE}`);
}

function isFence(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_FENCE;
}

/** The lease that a worker's call names, under the name and the deployment that its token allows. */
export function workerLeaseIn({ head, caller }: Pick<IncomingCall, 'head' | 'caller'>): WorkerLease {
  const { workerId } = argumentsOf<{ workerId: unknown }>(head, 'workerId');
  if (typeof workerId !== 'string' || workerId.length === 0 || workerId.length > MAX_WORKER_ID) {
    throw new MalformedParcelError(`the call names no worker: 1 to ${MAX_WORKER_ID} characters`);
  }
  const boundTo = caller.deploymentId as DeploymentId | null;
  return { ...leaseIn(head), workerId: boundWorkerId(caller, workerId), boundTo };
}

/** A lease that is not the caller's is the call's own fault. */
export async function underLease<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LeaseRefusedError)) throw error;
    throw new CallRefusal({ status: 403, code: 'lease_refused', message: error.message });
  }
}
