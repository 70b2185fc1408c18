import type { AccountId, DeploymentId } from './ids.js';
import type { LeaseKey, WorkerLease } from './lease.js';

/**
 * What services that workers call ask of the jobs service: whose job it is that a worker has leased. A message of a worker
 * names the lease; everything else comes from here (docs/decisions/0021).
 */
export interface LeaseAuthorityPort {
  /** Null: nobody holds this lease (any more). Rejects while the jobs service is away. */
  holderOf(lease: LeaseKey): Promise<LeaseHolder | null>;
}
export const LEASE_AUTHORITY_PORT = Symbol('LeaseAuthorityPort');

/** By the jobs service's own rows. */
export interface LeaseHolder {
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  /** The name under which the worker holds its leases; that of a bound worker contains its deployment. */
  readonly workerId: string;
  /** ISO 8601: outputs and logs are kept as long as their job. */
  readonly jobExpiresAt: string;
}

/** The caller does not hold the lease that it names: another try would end the same way. */
export class LeaseRefusedError extends Error {
  override readonly name = 'LeaseRefusedError';

  constructor({ jobId, fence, workerId }: WorkerLease) {
    super(`the worker ${workerId} does not hold the lease ${fence} of the job ${jobId}`);
  }
}

/** The holder of the lease, if it is the caller; one refusal for everything else. */
export async function holderOfOwn(authority: LeaseAuthorityPort, lease: WorkerLease): Promise<LeaseHolder> {
  const holder = await authority.holderOf(lease);
  const isOther = holder === null || holder.workerId !== lease.workerId;
  if (isOther || (lease.boundTo ?? holder.deploymentId) !== holder.deploymentId) throw new LeaseRefusedError(lease);
  return holder;
}
