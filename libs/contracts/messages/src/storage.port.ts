import type { AccountId } from './ids.js';

/**
 * What the assets service enforces of an account's limits, as JobLimitsPort. Implementations pass
 * `test/internal-calls/storage-port.suite.ts`.
 */
export interface StoragePort {
  /** `bytes`: null for no limit. */
  limitAccount(accountId: AccountId, bytes: number | null, version: number): Promise<void>;
  /** Bytes of the account's records, each hash once. Accounts without records are missing. At most MAX_ASKED_USAGE. */
  storedBy(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>>;
}
export const STORAGE_PORT = Symbol('StoragePort');
