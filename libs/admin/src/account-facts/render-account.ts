import type { DescribedAccount } from './account-facts.js';

/** An account as the commands print it; every key is always there (accounts, Command). */
function accountWire({ account, balance, openJobs, storageBytes }: DescribedAccount): object {
  const { accountId, name, status, createdAt, limits } = account;
  return {
    account_id: accountId,
    name,
    status,
    created_at: createdAt,
    limits: {
      queue_depth: limits.queueDepth,
      running: limits.running,
      streams: limits.streams,
      storage_bytes: limits.storageBytes,
      read_rate: limits.readRate,
      read_burst: limits.readBurst,
    },
    usage: {
      waiting: openJobs?.waiting ?? null,
      running: openJobs?.running ?? null,
      storage_bytes: storageBytes,
    },
    balance,
  };
}

export function renderAccount(described: DescribedAccount): string {
  return JSON.stringify(accountWire(described));
}

/** `next`: the `after` of the next part; null at the end. */
export function accountsPart(accounts: readonly DescribedAccount[], limit: number): object {
  return {
    accounts: accounts.map(accountWire),
    next: accounts.length < limit ? null : accounts.at(-1)!.account.name,
  };
}
