import { Injectable } from '@nestjs/common';
import { SharedReads } from '@heddle/platform-database';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { AccountsMetrics } from '../accounts-metrics.js';
import { limitsOf } from '../accounts-database/account-row.js';
import { LOOK_UP_KEYS } from './check-key.sql.js';
import type { FoundKeyRow } from './check-key.sql.js';
import { KeyCache } from './key-cache.js';
import type { CachedKey } from './key-cache.js';

/**
 * Looks keys up in the database, and puts the answers into the cache. Requests that come at once share a statement; no
 * answer was read before a change that its request came after. The number of waiting ids is bounded by the open
 * connections of the port, each of which waits with one request.
 */
@Injectable()
export class KeyLookup {
  readonly #reads: SharedReads<CachedKey>;

  constructor(
    private readonly database: AccountsDatabase,
    private readonly cache: KeyCache,
    private readonly metrics: AccountsMetrics,
  ) {
    this.#reads = new SharedReads(
      (keyIds) => this.#read(keyIds),
      () => cache.changes,
    );
  }

  async find(keyId: string): Promise<CachedKey> {
    return (await this.#reads.find(keyId))!;
  }

  async #read(keyIds: readonly string[]): Promise<ReadonlyMap<string, CachedKey>> {
    const { changes } = this.cache;
    const sentAt = this.cache.now();
    this.metrics.lookedUp(keyIds.length);
    const rows = await this.database.query<FoundKeyRow>(LOOK_UP_KEYS, [keyIds]);
    const found = new Map(rows.map((row) => [row.key_id, row]));
    return new Map(
      keyIds.map((keyId) => {
        const key = foundKey(found.get(keyId), sentAt);
        this.cache.keep(keyId, key, changes);
        return [keyId, key];
      }),
    );
  }
}

/** Not good: an unknown, a revoked and an expired key. */
function foundKey(row: FoundKeyRow | undefined, sentAt: number): CachedKey {
  const leftMs = row?.left_ms ?? Number.POSITIVE_INFINITY;
  if (row === undefined || row.revoked || leftMs <= 0) {
    return { good: null, leftMs: Number.POSITIVE_INFINITY, sentAt };
  }
  const { key_id: keyId, digest, account_id: accountId, account: accountName, scopes, suspended } = row;
  const limits = limitsOf(row);
  const holder = { accountId, accountName, keyId, scopes: new Set(scopes), suspended, limits };
  return { good: { digest, holder }, leftMs, sentAt };
}
