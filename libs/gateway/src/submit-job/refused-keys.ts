import type { JobsPort, Principal } from '@heddle/contracts-messages';

const MAX_KEYS = 4_096;

/**
 * Keys that were refused as claimed a while ago. If a client keeps sending one, only the key is checked before its body
 * is read; concurrent requests share one check. Only the jobs service decides whether the key is still claimed: its
 * clock ends the claim.
 */
export class RefusedKeys {
  readonly #jobs: Pick<JobsPort, 'isKeyClaimed'>;
  readonly #refused = new Set<string>();
  readonly #looking = new Map<string, Promise<boolean>>();

  constructor(jobs: Pick<JobsPort, 'isKeyClaimed'>) {
    this.#jobs = jobs;
  }

  /** Beyond the limit the oldest are evicted. */
  remember({ accountId }: Principal, key: string): void {
    this.#refused.add(`${accountId} ${key}`);
    if (this.#refused.size <= MAX_KEYS) return;
    for (const oldest of this.#refused) {
      this.#refused.delete(oldest);
      return;
    }
  }

  /** True if the key was refused before and is still claimed; false means unknown. */
  async isClaimed(principal: Principal, key: string): Promise<boolean> {
    const id = `${principal.accountId} ${key}`;
    if (!this.#refused.has(id)) return false;
    const claimed = await this.#look(principal, key, id);
    if (!claimed) this.#refused.delete(id);
    return claimed;
  }

  #look(principal: Principal, key: string, id: string): Promise<boolean> {
    const known = this.#looking.get(id);
    if (known !== undefined) return known;
    const look = this.#jobs.isKeyClaimed(principal, key).finally(() => this.#looking.delete(id));
    this.#looking.set(id, look);
    return look;
  }
}
