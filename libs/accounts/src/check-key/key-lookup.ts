import { Injectable } from '@nestjs/common';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { AccountsMetrics } from '../accounts-metrics.js';
import { limitsOf } from '../accounts-database/account-row.js';
import { LOOK_UP_KEYS } from './check-key.sql.js';
import type { FoundKeyRow } from './check-key.sql.js';
import { KeyCache } from './key-cache.js';
import type { CachedKey } from './key-cache.js';

const MAX_BATCH = 500;
/** Statements at once: a flood of unknown keys leaves connections for everything else. */
const MAX_STATEMENTS = 2;

interface Asked {
  readonly promise: Promise<CachedKey>;
  readonly settle: (found: CachedKey) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Looks keys up in the database, and puts the answers into the cache. Requests that come at once share a statement, and
 * those with the same key id its answer.
 * The number of waiting ids is bounded by the open connections of the port, each of which waits with one request.
 */
@Injectable()
export class KeyLookup {
  readonly #waiting = new Map<string, Asked>();
  readonly #sent = new Map<string, Asked & { readonly changes: number }>();
  #statements = 0;

  constructor(
    private readonly database: AccountsDatabase,
    private readonly cache: KeyCache,
    private readonly metrics: AccountsMetrics,
  ) {}

  find(keyId: string): Promise<CachedKey> {
    const sent = this.#sent.get(keyId);
    // An answer that was read before a change must not reach a request that came after it.
    const shared = this.#waiting.get(keyId) ?? (sent?.changes === this.cache.changes ? sent : undefined);
    if (shared !== undefined) return shared.promise;
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<CachedKey>();
    this.#waiting.set(keyId, { promise, settle, fail });
    this.#sendNext();
    return promise;
  }

  #sendNext(): void {
    if (this.#statements >= MAX_STATEMENTS || this.#waiting.size === 0) return;
    const changes = this.cache.changes;
    const batch: (readonly [string, Asked])[] = [];
    for (const [keyId, asked] of this.#waiting) {
      if (batch.push([keyId, asked]) === MAX_BATCH) break;
    }
    for (const [keyId, asked] of batch) {
      this.#waiting.delete(keyId);
      this.#sent.set(keyId, { ...asked, changes });
    }
    this.#statements += 1;
    void this.#answer(batch, changes).finally(() => {
      this.#statements -= 1;
      for (const [keyId, { promise }] of batch) {
        if (this.#sent.get(keyId)?.promise === promise) this.#sent.delete(keyId);
      }
      this.#sendNext();
    });
  }

  async #answer(batch: readonly (readonly [string, Asked])[], changes: number): Promise<void> {
    const sentAt = this.cache.now();
    this.metrics.lookedUp(batch.length);
    try {
      const rows = await this.database.query<FoundKeyRow>(LOOK_UP_KEYS, [batch.map(([keyId]) => keyId)]);
      const found = new Map(rows.map((row) => [row.key_id, row]));
      for (const [keyId, { settle }] of batch) {
        const key = foundKey(found.get(keyId), sentAt);
        this.cache.keep(keyId, key, changes);
        settle(key);
      }
    } catch (error) {
      for (const [, { fail }] of batch) fail(error);
    }
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
