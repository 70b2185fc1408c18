import type { Rejection } from '@heddle/contracts-messages';

const RETRY_AFTER_S = 5;

/** How many event streams may be open, per account and in this process (decisions, Streams). */
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

  take(accountId: string): Rejection | null {
    const open = this.#open.get(accountId) ?? 0;
    if (open >= this.#perAccount || this.#total >= this.#perProcess) {
      const limit =
        open >= this.#perAccount ? `${this.#perAccount} of the account` : `${this.#perProcess} of the server`;
      return {
        code: 'too_many_streams',
        message: `All event streams (${limit}) are open: close one, or poll the job instead.`,
        retryAfterSeconds: RETRY_AFTER_S,
      };
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
