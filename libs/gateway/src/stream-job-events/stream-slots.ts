import { refuse } from '@heddle/contracts-messages';
import type { AccountId, AccountStanding, Rejection } from '@heddle/contracts-messages';

const RETRY_AFTER_S = 5;

/** What is known of an account's streams since the last report. */
interface Known {
  others: number;
  gateways: number;
  opened: number;
}

/**
 * Limits on open event streams, per account and in this process (decisions, Streams). If several gateways serve an
 * account, each opens its share of the streams that are free between two reports, and one at least.
 */
export class StreamSlots {
  readonly #perAccount: number;
  readonly #perProcess: number;
  readonly #open = new Map<AccountId, number>();
  readonly #known = new Map<AccountId, Known>();
  #changed = new Set<AccountId>();
  #gateways = 1;
  #total = 0;
  #onUse: (() => void) | null = null;

  constructor(perAccount: number, perProcess: number) {
    this.#perAccount = perAccount;
    this.#perProcess = perProcess;
  }

  get total(): number {
    return this.#total;
  }

  openOf(accountId: AccountId): number {
    return this.#open.get(accountId) ?? 0;
  }

  /** From now on streams are reported. */
  share(onUse: () => void): void {
    this.#onUse = onUse;
  }

  /** `perAccount`: the account's own limit, if it has one. */
  take(accountId: AccountId, perAccount = this.#perAccount): Rejection | null {
    const open = this.#open.get(accountId) ?? 0;
    const known = this.#known.get(accountId) ?? { others: 0, gateways: this.#gateways, opened: 0 };
    this.#note(accountId);
    const free = perAccount - open - known.others;
    const share = Math.max(1, Math.floor((free + known.opened) / known.gateways));
    if (free <= 0 || (known.gateways > 1 && known.opened >= share)) return refused('account', perAccount);
    if (this.#total >= this.#perProcess) return refused('process', this.#perProcess);
    this.#open.set(accountId, open + 1);
    if (this.#onUse !== null) this.#known.set(accountId, { ...known, opened: known.opened + 1 });
    this.#total += 1;
    return null;
  }

  giveBack(accountId: AccountId): void {
    const open = (this.#open.get(accountId) ?? 1) - 1;
    if (open > 0) this.#open.set(accountId, open);
    else this.#open.delete(accountId);
    this.#total -= 1;
    this.#note(accountId);
  }

  /** Open streams of the accounts that opened, closed or wanted one; `all`: of every account with one. */
  report(all: boolean): ReadonlyMap<AccountId, number> {
    const accounts = new Set([...this.#changed, ...(all ? this.#open.keys() : [])]);
    this.#changed = new Set();
    for (const accountId of accounts) {
      const known = this.#known.get(accountId);
      if (known !== undefined) known.opened = 0;
    }
    return new Map([...accounts].map((accountId) => [accountId, this.#open.get(accountId) ?? 0]));
  }

  settled(gateways: number, accounts: readonly AccountStanding[]): void {
    this.#gateways = gateways;
    for (const { accountId, otherStreams, gateways: users } of accounts) {
      const opened = this.#known.get(accountId)?.opened ?? 0;
      if (this.#open.has(accountId) || opened > 0 || otherStreams > 0) {
        this.#known.set(accountId, { others: otherStreams, gateways: users, opened });
      } else {
        this.#known.delete(accountId);
      }
    }
  }

  #note(accountId: AccountId): void {
    if (this.#onUse === null) return;
    this.#changed.add(accountId);
    this.#onUse();
  }
}

function refused(what: 'account' | 'process', limit: number): Rejection {
  return refuse('too_many_streams', { case: what, limit }, { retryAfterSeconds: RETRY_AFTER_S });
}
