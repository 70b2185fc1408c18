/** An account with waiting jobs, from its counter. */
export interface WaitingAccount {
  readonly accountId: string;
  /** Epoch seconds when one of its jobs was last leased; -Infinity for never. */
  readonly servedAt: number;
  readonly running: number;
}

/** One encoded account: id, last served, number of waiting and of running jobs (all in network byte order). */
const ENTRY_BYTES = 32;
const SERVED_AT = 16;
const WAITING_AT = 24;
const RUNNING_AT = 28;

/** Up to this many accounts are read again for each query, in less than a millisecond. */
const COUNTED_EACH_TIME = 100;
const MAX_AGE_MS = 1_000;

/**
 * The waiting accounts of a deployment, in turn order, as of one read of the counters. With many accounts a read is
 * reused for a while, a millisecond per ten accounts and at most a second: reading them for each query would make every
 * submission slower with the number of accounts.
 */
export class AccountTurns {
  readonly #turns = new Map<string, number>();
  readonly #goodUntil: number;

  constructor(
    /** Entries in turn order. */
    private readonly entries: Buffer,
    readAtMs: number,
  ) {
    const accounts = entries.length / ENTRY_BYTES;
    for (let turn = 0; turn < accounts; turn += 1) {
      this.#turns.set(entries.toString('hex', turn * ENTRY_BYTES, turn * ENTRY_BYTES + SERVED_AT), turn);
    }
    this.#goodUntil = accounts <= COUNTED_EACH_TIME ? readAtMs : readAtMs + Math.min(MAX_AGE_MS, accounts / 10);
  }

  isGoodAt(nowMs: number): boolean {
    return nowMs < this.#goodUntil;
  }

  /** Null for an account that started waiting after the read. */
  find(accountId: string): WaitingAccount | null {
    const turn = this.#turns.get(keyOf(accountId));
    if (turn === undefined) return null;
    const at = turn * ENTRY_BYTES;
    return {
      accountId,
      servedAt: this.entries.readDoubleBE(at + SERVED_AT),
      running: this.entries.readInt32BE(at + RUNNING_AT),
    };
  }

  /**
   * The claim order of lease-job/leases.sql.ts, computed for one job; queue-positions.int.spec.ts compares both.
   *
   * The 1-based position of the account's job with this rank. A claim takes the account with the fewest running jobs, of
   * those the one served longest ago, and its oldest job; each claim adds one to the account's running jobs. So the job
   * of rank r in an account with n running jobs comes after every job of another account whose own n + r is smaller, or
   * is equal in an account whose turn is earlier.
   */
  position(account: WaitingAccount, rank: number): number {
    const own = this.#turns.get(keyOf(account.accountId)) ?? -1;
    const turn = this.#turnOf(account);
    const { entries } = this;
    let position = rank;
    for (let at = 0, other = 0; at < entries.length; at += ENTRY_BYTES, other += 1) {
      if (other === own) continue;
      const before = account.running + rank - entries.readInt32BE(at + RUNNING_AT) - (other < turn ? 0 : 1);
      if (before > 0) position += Math.min(entries.readInt32BE(at + WAITING_AT), before);
    }
    return position;
  }

  /** Number of entries whose turn is before that account's. */
  #turnOf({ accountId, servedAt }: WaitingAccount): number {
    const id = Buffer.from(keyOf(accountId), 'hex');
    let [low, high] = [0, this.entries.length / ENTRY_BYTES];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle * ENTRY_BYTES;
      const served = this.entries.readDoubleBE(at + SERVED_AT);
      const isBefore =
        served === servedAt ? this.entries.compare(id, 0, id.length, at, at + id.length) < 0 : served < servedAt;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keyOf(accountId: string): string {
  return accountId.replaceAll('-', '');
}
