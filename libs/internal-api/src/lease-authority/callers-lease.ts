import { status } from '@grpc/grpc-js';
import { isUuid, LeaseRefusedError, MAX_FENCE, MAX_WORKER_ID } from '@heddle/contracts-messages';
import type { DeploymentId, JobId, LeaseKey, WorkerLease } from '@heddle/contracts-messages';
import type { ServiceIdentity } from '@heddle/platform-service-calls';
import { callerOf, MalformedCallError, RefusedCallError } from '@heddle/platform-service-calls/serve';

interface NamedLease {
  readonly jobId: string;
  readonly fence: number;
}

/**
 * The name under which a worker holds leases. If its token is bound to a deployment, the name contains the deployment:
 * a worker of another deployment cannot use the leases, whatever name it sends.
 */
export function boundWorkerId({ deploymentId }: ServiceIdentity, workerId: string): string {
  return deploymentId === null ? workerId : `${workerId}@${deploymentId}`;
}

/** Whether the name has the form of a bound one: no worker without a deployment may have it. */
export function isBoundName(workerId: string): boolean {
  return workerId.at(-37) === '@' && isUuid(workerId.slice(-36));
}

export function leaseOf({ jobId, fence }: NamedLease): LeaseKey {
  if (isUuid(jobId) && fence > 0 && fence <= MAX_FENCE) return { jobId: jobId as JobId, fence };
  throw new MalformedCallError(`the call names no lease: a job id and a fence from 1 to ${MAX_FENCE}`);
}

/** The lease that a worker's call names, with the worker name that its token allows. */
export function callersLease({ workerId, ...lease }: NamedLease & { readonly workerId: string }): WorkerLease {
  if (workerId.length === 0 || workerId.length > MAX_WORKER_ID) {
    throw new MalformedCallError(`the call names no worker: 1 to ${MAX_WORKER_ID} characters`);
  }
  const caller = callerOf();
  if (caller.deploymentId === null && isBoundName(workerId)) {
    throw new MalformedCallError('the name of a worker without a deployment must not end with @ and an id');
  }
  const boundTo = caller.deploymentId as DeploymentId | null;
  return { ...leaseOf(lease), workerId: boundWorkerId(caller, workerId), boundTo };
}

/** Answers PERMISSION_DENIED if the lease is not the caller's. */
export async function underLease<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LeaseRefusedError)) throw error;
    throw new RefusedCallError(status.PERMISSION_DENIED, 'lease_refused', error.message);
  }
}
