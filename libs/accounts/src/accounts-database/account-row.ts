import type { AccountId, AccountLimits, AccountView } from '@heddle/contracts-messages';

/** Columns of an account's limits; whole numbers come as text, because they have 64 bits. */
export interface LimitColumns {
  readonly queue_depth: string | null;
  readonly running: string | null;
  readonly streams: string | null;
  readonly storage_bytes: string | null;
  readonly read_rate: number | null;
  readonly read_burst: string | null;
}

export interface AccountRow extends LimitColumns {
  readonly account_id: AccountId;
  readonly name: string;
  readonly created_at: Date;
  readonly suspended_at: Date | null;
}

export const LIMIT_COLUMNS = 'a.queue_depth, a.running, a.streams, a.storage_bytes, a.read_rate, a.read_burst';

export const ACCOUNT_COLUMNS = `a.account_id, a.name, a.created_at, a.suspended_at, ${LIMIT_COLUMNS}`;

export function limitsOf(row: LimitColumns): AccountLimits {
  return {
    queueDepth: whole(row.queue_depth),
    running: whole(row.running),
    streams: whole(row.streams),
    storageBytes: whole(row.storage_bytes),
    readRate: row.read_rate,
    readBurst: whole(row.read_burst),
  };
}

export function accountOf(row: AccountRow): AccountView {
  return {
    accountId: row.account_id,
    name: row.name,
    status: row.suspended_at === null ? 'active' : 'suspended',
    createdAt: row.created_at.toISOString(),
    limits: limitsOf(row),
  };
}

function whole(text: string | null): number | null {
  return text === null ? null : Number(text);
}
