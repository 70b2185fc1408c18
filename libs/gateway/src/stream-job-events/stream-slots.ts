import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';

const RETRY_AFTER_S = 5;

/** Limits on open event streams, per account and in this process (decisions, Streams). */
export class StreamSlots {
  readonly #perAccount: number;
  readonly #perProcess: number;
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(perAccount: number, perProcess: number) {
    this.#perAccount = perAccount;
    this.#perProcess = perProcess;
  }

  get total(): number {
    return this.#total;
  }

  /** `perAccount`: the account's own limit, if it has one. */
  take(accountId: string, perAccount = this.#perAccount): Rejection | null {
    const open = this.#open.get(accountId) ?? 0;
    if (open >= perAccount || this.#total >= this.#perProcess) {
      const what =
        open >= perAccount
          ? { case: 'account' as const, limit: perAccount }
          : { case: 'process' as const, limit: this.#perProcess };
      return refuse('too_many_streams', what, { retryAfterSeconds: RETRY_AFTER_S });
    }
    this.#open.set(accountId, open + 1);
    this.#total += 1;
    return null;
  }

  giveBack(accountId: string): void {
    const open = (this.#open.get(accountId) ?? 1) - 1;
    if (open > 0) this.#open.set(accountId, open);
    else this.#open.delete(accountId);
    this.#total -= 1;
  }
}
