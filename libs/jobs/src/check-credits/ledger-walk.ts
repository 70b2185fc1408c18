import { NO_CREDITS } from '@heddle/contracts-messages';
import type { AccountCredits } from '@heddle/contracts-messages';

export interface WalkedEntry {
  readonly accountId: string;
  readonly entryId: number;
  readonly kind: string;
  readonly amount: number;
  readonly balance: number;
  readonly charged: number;
}

/** Sums of the entries of an account so far. */
export interface WalkedAccount extends LedgerPlaceOfWalk {
  readonly sums: AccountCredits;
}

interface LedgerPlaceOfWalk {
  readonly accountId: string;
  readonly entryId: number;
}

/**
 * Walks entries account by account: each balance follows from the one before, and the sums of an account are those of its
 * balance. An account that a part of the check cuts is carried into the next part.
 */
export class LedgerWalk {
  #current: WalkedAccount | null;
  #entries = 0;
  #accounts = 0;

  constructor(
    carried: WalkedAccount | null,
    /** In the snapshot of the entries. */
    private readonly balances: Map<string, AccountCredits>,
    private readonly problem: (text: string) => void,
  ) {
    this.#current = carried;
  }

  get accounts(): number {
    return this.#accounts;
  }

  get entries(): number {
    return this.#entries;
  }

  /** The account of the last entry, whose further entries are not known yet. */
  get current(): WalkedAccount | null {
    return this.#current;
  }

  take(entry: WalkedEntry): void {
    const { accountId, entryId } = entry;
    if (this.#current?.accountId !== accountId) this.finish();
    const sums = withEntry(this.#current?.sums ?? NO_CREDITS, entry);
    if (sums.balance !== entry.balance) {
      this.problem(
        `entry ${entryId} of account ${accountId}: its balance is ${entry.balance}, its amount leads to ${sums.balance}`,
      );
    }
    this.#current = { accountId, entryId, sums: { ...sums, balance: entry.balance } };
    this.#entries += 1;
  }

  /** The current account has no further entries. */
  finish(): void {
    if (this.#current === null) return;
    const { accountId, sums } = this.#current;
    this.#compare(accountId, sums, this.balances.get(accountId) ?? NO_CREDITS);
    this.balances.delete(accountId);
    this.#accounts += 1;
    this.#current = null;
  }

  /** Balances that are left have no entries, but for the account that goes on. */
  end(isLast: boolean): void {
    if (isLast) this.finish();
    if (this.#current !== null) this.balances.delete(this.#current.accountId);
    for (const [accountId, credits] of this.balances) this.#compare(accountId, NO_CREDITS, credits);
  }

  #compare(accountId: string, sums: AccountCredits, credits: AccountCredits): void {
    for (const name of Object.keys(NO_CREDITS) as (keyof AccountCredits)[]) {
      if (sums[name] === credits[name]) continue;
      this.problem(`account ${accountId}: ${name} is ${credits[name]}, its entries sum to ${sums[name]}`);
    }
  }
}

function withEntry(sums: AccountCredits, { kind, amount, charged }: WalkedEntry): AccountCredits {
  const balance = sums.balance + amount;
  switch (kind) {
    case 'grant':
      return { ...sums, balance, granted: sums.granted + amount };
    case 'withdraw':
      return { ...sums, balance, withdrawn: sums.withdrawn - amount };
    case 'reserve':
      return { ...sums, balance, reserved: sums.reserved - amount };
    default:
      return { ...sums, balance, reserved: sums.reserved - amount - charged, charged: sums.charged + charged };
  }
}
