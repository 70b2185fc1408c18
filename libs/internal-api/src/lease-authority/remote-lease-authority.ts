import type { AccountId, DeploymentId, LeaseAuthorityPort, LeaseHolder, LeaseKey } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { LeaseAuthorityServiceService } from '../generated/heddle/jobs/v1/lease_authority.js';

/** A job with many outputs asks once. A lease lost within this time is treated like one lost during the call. */
const KNOWN_MS = 2_000;
/** Above the number of leases of all workers. The oldest answer is dropped first. */
const MAX_KNOWN = 10_000;

interface Known {
  readonly holder: Promise<LeaseHolder | null>;
  /** In the time of performance.now(). */
  readonly until: number;
}

/** Asks the jobs service in another process for leases. Throws ServiceAwayError if it does not answer. */
export class RemoteLeaseAuthority implements LeaseAuthorityPort {
  readonly #known = new Map<string, Known>();

  constructor(private readonly channel: ServiceChannel) {}

  async holderOf({ jobId, fence }: LeaseKey): Promise<LeaseHolder | null> {
    const key = `${jobId}:${fence}`;
    const known = this.#known.get(key);
    if (known !== undefined && performance.now() < known.until) return await known.holder;
    const holder = this.#ask({ jobId, fence });
    const asked = { holder, until: performance.now() + KNOWN_MS };
    this.#remember(key, asked);
    try {
      const found = await holder;
      if (found === null) this.#evict(key, asked);
      return found;
    } catch (error) {
      this.#evict(key, asked);
      throw error;
    }
  }

  async #ask(lease: LeaseKey): Promise<LeaseHolder | null> {
    const { holder } = await this.channel.call(LeaseAuthorityServiceService.holder, lease);
    if (holder === undefined) return null;
    const { accountId, deploymentId, ...rest } = holder;
    return { ...rest, accountId: accountId as AccountId, deploymentId: deploymentId as DeploymentId };
  }

  #remember(key: string, asked: Known): void {
    this.#known.delete(key);
    this.#known.set(key, asked);
    if (this.#known.size <= MAX_KNOWN) return;
    const oldest = this.#known.keys().next();
    if (!oldest.done) this.#known.delete(oldest.value);
  }

  #evict(key: string, asked: Known): void {
    if (this.#known.get(key) === asked) this.#known.delete(key);
  }
}
