import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { KeyHolder } from '@heddle/contracts-messages';
import { KeyCache } from '../check-key/key-cache.js';
import type { CachedKey } from '../check-key/key-cache.js';
import { KeyLookup } from '../check-key/key-lookup.js';
import { AccountsSettings } from '../settings.js';

/** How often keys are compared with the time: an expiry is noticed this late. */
const TICK_MS = 250;
/** A key whose look-up failed is asked about again after this time. */
const RETRY_MS = 1_000;
/** Share of the longest time without a look-up after which a key is looked up: what is left is for its retries. */
const LATEST_LOOK = 2 / 3;

interface FollowedKey {
  readonly keyId: string;
  readonly accountName: string;
  readonly followers: Set<() => void>;
  /** When it must be looked at again, and when it has ended if it could not be: on the cache's clock. */
  due: number;
  deadline: number;
  /** Grows with each change that this process makes to it. */
  changes: number;
  isAsking: boolean;
}

/**
 * The keys of what outlives its request, such as event streams. One timer looks at all of them; a key is looked up when the cache
 * no longer believes it, once for all its followers and together with the others that are due.
 */
@Injectable()
export class FollowedKeys implements OnModuleDestroy {
  readonly #keys = new Map<string, FollowedKey>();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly cache: KeyCache,
    private readonly lookup: KeyLookup,
    private readonly settings: AccountsSettings,
  ) {
    cache.onChange((isMeant) => {
      for (const key of this.#keys.values()) {
        if (!isMeant(key)) continue;
        key.changes += 1;
        key.due = 0;
        this.#look(key);
      }
    });
  }

  follow({ keyId, accountName }: KeyHolder, ended: () => void): () => void {
    let key = this.#keys.get(keyId);
    if (key === undefined) {
      const deadline = this.cache.now() + this.settings.maxUncheckedMs;
      key = { keyId, accountName, followers: new Set(), due: 0, deadline, changes: 0, isAsking: false };
      this.#keys.set(keyId, key);
    }
    const followed = key;
    followed.followers.add(ended);
    this.#timer ??= setInterval(() => this.#lookAtAll(), TICK_MS).unref();
    this.#look(followed);
    return () => {
      followed.followers.delete(ended);
      if (followed.followers.size === 0) this.#unfollow(followed);
    };
  }

  onModuleDestroy(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #lookAtAll(): void {
    for (const key of this.#keys.values()) this.#look(key);
  }

  /** What the cache believes needs no look-up. The deadline holds while one hangs, too. */
  #look(key: FollowedKey): void {
    const now = this.cache.now();
    if (now >= key.deadline) return this.#end(key);
    if (key.isAsking || now < key.due) return;
    const cached = this.cache.find(key.keyId);
    if (cached === null || now >= this.#dueOf(cached)) void this.#ask(key);
    else this.#take(key, cached);
  }

  async #ask(key: FollowedKey): Promise<void> {
    const { changes } = key;
    key.isAsking = true;
    const found = await this.lookup.find(key.keyId).catch(() => null);
    key.isAsking = false;
    if (found === null) key.due = this.cache.now() + RETRY_MS;
    // It changed meanwhile: what was read may be the state before.
    else if (changes !== key.changes) this.#look(key);
    else this.#take(key, found);
  }

  #take(key: FollowedKey, found: CachedKey): void {
    if (found.good === null || found.good.holder.suspended) return this.#end(key);
    key.due = this.#dueOf(found);
    key.deadline = found.sentAt + Math.min(this.settings.maxUncheckedMs, found.leftMs);
  }

  #dueOf({ sentAt, leftMs }: CachedKey): number {
    const { followMs, maxUncheckedMs } = this.settings;
    return sentAt + Math.min(Math.max(this.cache.lifeMs, followMs), maxUncheckedMs * LATEST_LOOK, leftMs);
  }

  #end(key: FollowedKey): void {
    this.#unfollow(key);
    for (const ended of key.followers) ended();
  }

  #unfollow(key: FollowedKey): void {
    // A new one may follow under the same id.
    if (this.#keys.get(key.keyId) === key) this.#keys.delete(key.keyId);
    if (this.#keys.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
