import { newUuid } from '@heddle/contracts-messages';
import type {
  JobId,
  LeaseAuthorityPort,
  LeaseHolder,
  LeaseKey,
  Principal,
  WorkerLease,
} from '@heddle/contracts-messages';

const HOUR_MS = 3_600_000;

/** The jobs service as seen by assets and logs: it knows the leases that a test grants. */
export class LeaseAuthorityFake implements LeaseAuthorityPort {
  readonly #holders = new Map<string, LeaseHolder>();
  away = false;

  /** A lease of a job of this account; a new job if none is given. */
  lend(
    { accountId, deploymentId }: Principal,
    { jobId = newUuid() as JobId, fence = 1 }: Partial<LeaseKey> = {},
    jobExpiresAt = new Date(Date.now() + HOUR_MS).toISOString(),
  ): WorkerLease {
    const workerId = 'worker-a';
    this.#holders.set(`${jobId}:${fence}`, { accountId, deploymentId, workerId, jobExpiresAt });
    return { jobId, fence, workerId };
  }

  async holderOf({ jobId, fence }: LeaseKey): Promise<LeaseHolder | null> {
    if (this.away) throw new Error('the jobs service is away');
    return await Promise.resolve(this.#holders.get(`${jobId}:${fence}`) ?? null);
  }
}
