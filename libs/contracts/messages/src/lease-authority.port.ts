import type { AccountId, DeploymentId } from './ids.js';
import type { LeaseKey, WorkerLease } from './lease.js';

/**
 * Queries of services called by workers: whose job a lease belongs to. A worker's message names the lease; everything
 * else comes from here (docs/decisions/0021). Implementations pass `libs/testing/jobs/src/lease-authority.suite.ts`.
 */
export interface LeaseAuthorityPort {
  /** Null: no worker holds this lease (any more). Rejects while the jobs service is unreachable. */
  holderOf(lease: LeaseKey): Promise<LeaseHolder | null>;
}
export const LEASE_AUTHORITY_PORT = Symbol('LeaseAuthorityPort');

/** From the jobs service's own rows. */
export interface LeaseHolder {
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  /** The name under which the worker holds its leases; a bound worker's contains its deployment. */
  readonly workerId: string;
  /** ISO 8601: outputs and logs are kept as long as their job. */
  readonly jobExpiresAt: string;
}

/** The caller does not hold the named lease: a retry would fail the same way. */
export class LeaseRefusedError extends Error {
  override readonly name = 'LeaseRefusedError';

  constructor({ jobId, fence, workerId }: WorkerLease) {
    super(`the worker ${workerId} does not hold the lease ${fence} of the job ${jobId}`);
  }
}

/** The holder of the lease if it is the caller; otherwise always the same refusal. */
export async function holderOfOwn(authority: LeaseAuthorityPort, lease: WorkerLease): Promise<LeaseHolder> {
  const holder = await authority.holderOf(lease);
  const isOther = holder === null || holder.workerId !== lease.workerId;
  if (isOther || (lease.boundTo ?? holder.deploymentId) !== holder.deploymentId) throw new LeaseRefusedError(lease);
  return holder;
}
