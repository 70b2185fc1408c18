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

interface Lent extends LeaseHolder {
  readonly fence: number;
}

/** The lease authority of a jobs service that knows the leases that a test lends. */
export class LeaseAuthorityFake implements LeaseAuthorityPort {
  readonly #lent = new Map<JobId, Lent>();
  away = false;

  /** A lease of a job of this account; a new job if none is given. It takes the place of the job's lease before. */
  lend(
    { accountId, deploymentId }: Principal,
    { jobId = newUuid() as JobId, fence = 1 }: Partial<LeaseKey> = {},
    jobExpiresAt = new Date(Date.now() + HOUR_MS).toISOString(),
  ): WorkerLease {
    const workerId = 'worker-a';
    this.#lent.set(jobId, { accountId, deploymentId, workerId, jobExpiresAt, fence });
    return { jobId, fence, workerId };
  }

  /** The job has ended, or waits for another worker. */
  takeBack({ jobId }: LeaseKey): void {
    this.#lent.delete(jobId);
  }

  async holderOf({ jobId, fence }: LeaseKey): Promise<LeaseHolder | null> {
    if (this.away) throw new Error('the jobs service is away');
    const lent = this.#lent.get(jobId);
    if (lent?.fence !== fence) return await Promise.resolve(null);
    const { accountId, deploymentId, workerId, jobExpiresAt } = lent;
    return await Promise.resolve({ accountId, deploymentId, workerId, jobExpiresAt });
  }
}
