import type { KeyHolder } from '@heddle/contracts-messages';

/** What a look-up found out about a key id. */
export interface CachedKey {
  /** Null: no key with this id is good, whatever its secret. */
  readonly good: { readonly digest: Buffer; readonly holder: KeyHolder } | null;
  /** When the look-up was sent, on the process's monotonic clock: the answer may be as old as that. */
  readonly sentAt: number;
  /** Milliseconds from `sentAt` until the key expires; infinite for a key without an expiry, and for none. */
  readonly leftMs: number;
}

/** The keys that a change was about. */
type ChangedKeys = (key: { readonly keyId: string; readonly accountName: string }) => boolean;

interface KeyCacheOptions {
  /** How long an entry is believed after its look-up began. */
  readonly lifeMs: number;
  /** Maximum number of good keys. */
  readonly good: number;
  /** Maximum number of ids without a good key. */
  readonly bad: number;
}

/**
 * What is known of keys, by their ids. Keys themselves are not in it. Good and bad ones have a room of their own, so that a
 * flood of unknown keys evicts no good one. A full room evicts its oldest entry: all entries live equally long.
 */
export class KeyCache {
  readonly #good = new Map<string, CachedKey>();
  readonly #bad = new Map<string, CachedKey>();
  /** Grows with each change: a look-up that began before may have read the state before it. */
  #changes = 0;
  readonly #listeners: ((changed: ChangedKeys) => void)[] = [];

  constructor(
    private readonly options: KeyCacheOptions,
    readonly now: () => number = () => performance.now(),
  ) {}

  get lifeMs(): number {
    return this.options.lifeMs;
  }

  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#good.size + this.#bad.size;
  }

  find(keyId: string): CachedKey | null {
    const entry = this.#good.get(keyId) ?? this.#bad.get(keyId);
    return entry !== undefined && this.now() < this.#endOf(entry) ? entry : null;
  }

  /** Hears of each change that this process makes to keys and accounts, once it is made. */
  onChange(listener: (changed: ChangedKeys) => void): void {
    this.#listeners.push(listener);
  }

  /** `changes`: the count when the look-up began. */
  keep(keyId: string, entry: CachedKey, changes: number): void {
    if (changes !== this.#changes) return;
    const isGood = entry.good !== null;
    const room = isGood ? this.#good : this.#bad;
    this.#good.delete(keyId);
    this.#bad.delete(keyId);
    room.set(keyId, entry);
    const oldest = room.keys().next();
    if (room.size > (isGood ? this.options.good : this.options.bad) && !oldest.done) room.delete(oldest.value);
  }

  evict(keyId: string): void {
    this.#changes += 1;
    this.#good.delete(keyId);
    this.#bad.delete(keyId);
    this.#notify((key) => key.keyId === keyId);
  }

  evictAccount(name: string): void {
    this.#changes += 1;
    for (const [keyId, { good }] of this.#good) {
      if (good?.holder.accountName === name) this.#good.delete(keyId);
    }
    this.#notify((key) => key.accountName === name);
  }

  #notify(changed: ChangedKeys): void {
    for (const listener of this.#listeners) listener(changed);
  }

  #endOf({ sentAt, leftMs }: CachedKey): number {
    return sentAt + Math.min(this.options.lifeMs, leftMs);
  }
}
