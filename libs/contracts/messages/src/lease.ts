import type { AccountId, DeploymentId, JobId } from './ids.js';
import type { JobInput } from './jobs.port.js';
import type { PartnerCredentials } from './secret.js';

/** Fences are stored as positive 32-bit integers. */
export const MAX_FENCE = 2 ** 31 - 1;
/** The event log stores 200 characters of the reporter's name, and a bound worker's name contains its deployment. */
export const MAX_WORKER_ID = 150;

export interface LeaseKey {
  readonly jobId: JobId;
  readonly fence: number;
}

/** A lease, and who claims to hold it. */
export interface WorkerLease extends LeaseKey {
  readonly workerId: string;
  /** The deployment of the worker's token, added by the service that checked it; null or absent: any. */
  readonly boundTo?: DeploymentId | null;
}

export interface LeaseState extends LeaseKey {
  readonly state: 'held' | 'cancel_requested' | 'lost';
}

export interface JobLease extends WorkerLease {
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  /** 1-based */
  readonly attempt: number;
  readonly workflow: Uint8Array;
  readonly nodesTotal: number;
  readonly inputs: readonly JobInput[];
  readonly credentials: PartnerCredentials | null;
  /** Highest progress value shown so far, over all attempts. */
  readonly progressFloor: number;
  readonly leaseSeconds: number;
  readonly maxRuntimeSeconds: number;
  /** ISO 8601: outputs are kept as long as their job. */
  readonly jobExpiresAt: string;
  readonly traceparent: string | null;
}
