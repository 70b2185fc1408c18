import type { DeploymentId, LeaseRequest, WorkerEvent } from '@heddle/contracts-messages';
import { CallRefusal } from '@heddle/platform-service-calls';
import type { ServiceIdentity } from '@heddle/platform-service-calls';
import { boundWorkerId } from '../lease-authority/worker-lease.js';

/** Leases of a poll at most, and its longest wait, milliseconds. */
const MOST_SLOTS = 1_024;
const LONGEST_WAIT_MS = 60_000;

/** The poll as the worker's token allows it. */
export function boundRequest(caller: ServiceIdentity, request: LeaseRequest): LeaseRequest {
  const { workerId, environment, deploymentId, slots, waitMs } = request;
  const bound = caller.deploymentId as DeploymentId | null;
  if (bound !== null && deploymentId !== null && deploymentId !== bound) throw foreign(caller, deploymentId);
  return {
    workerId: boundWorkerId(caller, workerId),
    environment,
    deploymentId: bound ?? deploymentId,
    slots: Math.min(Math.max(0, Math.floor(slots)), MOST_SLOTS),
    waitMs: Math.min(Math.max(0, waitMs), LONGEST_WAIT_MS),
  };
}

export function refuseForeignEvents(caller: ServiceIdentity, events: readonly WorkerEvent[]): void {
  if (caller.deploymentId === null) return;
  const strange = events.find(({ deploymentId }) => deploymentId !== caller.deploymentId);
  if (strange !== undefined) throw foreign(caller, strange.deploymentId);
}

/** What a token of one deployment may not touch. */
export function foreign({ service, deploymentId }: ServiceIdentity, wanted: string): CallRefusal {
  const message = `this token of ${service} is for the deployment ${deploymentId}, not for ${wanted}`;
  return new CallRefusal({ status: 403, code: 'other_deployment', message });
}
