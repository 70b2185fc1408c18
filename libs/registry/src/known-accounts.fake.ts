import type { AccountId, AccountsPort, KeyCheck, KeyHolder } from '@heddle/contracts-messages';

/** Accounts of the tests by their names; the key of each is `key-<name>`. */
export const ACCOUNTS: Readonly<Record<'ann' | 'bob' | 'eve', AccountId>> = {
  ann: '00000000-0000-4000-8000-00000000000a' as AccountId,
  bob: '00000000-0000-4000-8000-00000000000b' as AccountId,
  eve: '00000000-0000-4000-8000-00000000000e' as AccountId,
};
const LIMITS = {
  queueDepth: null,
  running: null,
  streams: null,
  storageBytes: null,
  readRate: null,
  readBurst: null,
};

/** The accounts context as the registry asks it. */
export class KnownAccounts implements KeyCheck, Pick<AccountsPort, 'idOf' | 'namesOf'> {
  check(key: string): KeyHolder | null {
    const found = Object.entries(ACCOUNTS).find(([name]) => key === `key-${name}`);
    if (found === undefined) return null;
    const [accountName, accountId] = found;
    return { accountId, accountName, keyId: accountName, scopes: new Set(), suspended: false, limits: LIMITS };
  }

  isWellFormed(): boolean {
    return true;
  }

  follow(): () => void {
    return () => undefined;
  }

  idOf(name: string): Promise<AccountId | null> {
    return Promise.resolve(Object.hasOwn(ACCOUNTS, name) ? ACCOUNTS[name as keyof typeof ACCOUNTS] : null);
  }

  namesOf(ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>> {
    const known = Object.entries(ACCOUNTS).filter(([, id]) => ids.includes(id));
    return Promise.resolve(new Map(known.map(([name, id]) => [id, name])));
  }
}
