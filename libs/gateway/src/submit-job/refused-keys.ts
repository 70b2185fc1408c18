import type { JobsPort, Principal } from '@heddle/contracts-messages';

const MAX_KEYS = 4_096;

/**
 * Keys that were refused as claimed a while ago. A client that goes on to send one is answered by a look at the key
 * alone, before its body is read; requests that come together share one look. Whether the key is still claimed is always
 * the jobs service's word: its clock, not ours, ends the claim.
 */
export class RefusedKeys {
  readonly #jobs: Pick<JobsPort, 'isKeyClaimed'>;
  readonly #refused = new Set<string>();
  readonly #looking = new Map<string, Promise<boolean>>();

  constructor(jobs: Pick<JobsPort, 'isKeyClaimed'>) {
    this.#jobs = jobs;
  }

  /** The oldest go first when there are too many. */
  remember({ accountId }: Principal, key: string): void {
    this.#refused.add(`${accountId} ${key}`);
    if (this.#refused.size <= MAX_KEYS) return;
    for (const oldest of this.#refused) {
      this.#refused.delete(oldest);
      return;
    }
  }

  /** True when the key was refused before and is claimed still; false says nothing. */
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
