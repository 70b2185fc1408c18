import type { Scope } from '@heddle/contracts-api-v2';
import type { Answer } from './answer.js';
import type { AccountId } from './ids.js';
import type { Secret } from './secret.js';

/** Limits that an account has of its own; null: the setting holds (accounts, Limits of an account). */
export interface AccountLimits {
  readonly queueDepth: number | null;
  readonly running: number | null;
  readonly streams: number | null;
  readonly storageBytes: number | null;
  /** Job reads per second. */
  readonly readRate: number | null;
  readonly readBurst: number | null;
}

/** Limits that are absent stay as they are; null: the setting holds again. */
export type LimitChanges = Partial<AccountLimits>;

type AccountStatus = 'active' | 'suspended';

export interface AccountView {
  readonly accountId: AccountId;
  readonly name: string;
  readonly status: AccountStatus;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly limits: AccountLimits;
}

/** A key as it is shown after its creation: the key itself is not stored. */
export interface KeyView {
  /** The 16 characters between the first two underscores of the key. */
  readonly keyId: string;
  /** Name of the account. */
  readonly account: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** At most a minute behind. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** Id of the key that it was rotated from. */
  readonly replaces: string | null;
}

/** The only answer that contains a key. */
export interface IssuedKey {
  readonly key: Secret;
  readonly view: KeyView;
  /** The account did not exist, and was made with the key. */
  readonly isNewAccount: boolean;
}

export interface KeyRequest {
  /** Name of the account, which is created if it does not exist. */
  readonly account: string;
  readonly name: string | null;
  /** Empty: all. */
  readonly scopes: readonly string[];
  readonly expiresInS: number | null;
}

/** Entries of one part of a list. */
export const MAX_LIST_PART = 1_000;

/** Part of a list, in the order of names or ids; `after`: the last one of the part before. */
export interface ListPart {
  readonly after: string | null;
  /** From 1 to `MAX_LIST_PART`. */
  readonly limit: number;
}

/**
 * The admin API's calls to the accounts context. Refuses with `not_found`, `invalid_request` or `already_exists`. One
 * implementation: both contexts run in the gateway, and this is an interface because contexts do not import each other.
 */
export interface AccountsPort {
  create(name: string, limits: LimitChanges): Promise<Answer<AccountView>>;
  show(name: string): Promise<Answer<AccountView>>;
  list(part: ListPart): Promise<readonly AccountView[]>;
  setLimits(name: string, changes: LimitChanges): Promise<Answer<AccountView>>;
  suspend(name: string): Promise<Answer<AccountView>>;
  resume(name: string): Promise<Answer<AccountView>>;
  /** null: no account has the name. */
  idOf(name: string): Promise<AccountId | null>;
  /** Unknown ids are missing from the answer. */
  namesOf(ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>>;
  createKey(request: KeyRequest): Promise<Answer<IssuedKey>>;
  /** `account`: name of the only account whose keys are listed; null: keys of all accounts. */
  listKeys(account: string | null, part: ListPart): Promise<Answer<readonly KeyView[]>>;
  /** Revoking a revoked key changes nothing. */
  revokeKey(keyId: string): Promise<Answer<KeyView>>;
  /** A new key with the same scopes; the old one expires after the overlap, or at its own expiry if that is earlier. */
  rotateKey(keyId: string, overlapS: number): Promise<Answer<IssuedKey>>;
}
export const ACCOUNTS_PORT = Symbol('AccountsPort');

/** Whose request it is, by its key. */
export interface KeyHolder {
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly suspended: boolean;
  readonly limits: AccountLimits;
}

/** The gateway's question about the key of a request. */
export interface KeyCheck {
  /**
   * Null: 401, whatever the reason. Synchronous if the answer is in the cache. Rejects if the key must be looked up and
   * the database is unreachable: a key is never believed longer than HEDDLE_KEY_CACHE_S after a look-up.
   */
  check(key: string): KeyHolder | null | Promise<KeyHolder | null>;
  /** True for a key in the right form with the right checksum: only such a key counts as a failed attempt. */
  isWellFormed(key: string): boolean;
  /**
   * For what outlives its request: calls `ended` once the key is revoked or expired, or its account suspended, and if
   * it could not be looked up for 30 s. In the process that took the change at once, elsewhere with the next look-up of
   * the key, at most 20 s after the last one. Returns what stops the calls.
   */
  follow(holder: KeyHolder, ended: () => void): () => void;
}
export const KEY_CHECK = Symbol('KeyCheck');
