import { Injectable } from '@nestjs/common';
import type { AccountId, StoragePort } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { LIMIT_STORAGE, STORED_BYTES } from './storage.sql.js';
import type { StoredBytesRow } from './storage.sql.js';

/** How much accounts may store, as operators set it, and what they store. */
@Injectable()
export class LimitStorageHandler implements StoragePort {
  constructor(private readonly database: AssetsDatabase) {}

  async limitAccount(accountId: AccountId, bytes: number | null, version: number): Promise<void> {
    await this.database.query(LIMIT_STORAGE, [accountId, bytes, version]);
  }

  async storedBy(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>> {
    const rows = await this.database.query<StoredBytesRow>(STORED_BYTES, [accountIds]);
    return new Map(rows.map(({ account_id: id, stored_bytes: bytes }) => [id as AccountId, Number(bytes)]));
  }
}
