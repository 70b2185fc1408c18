import type { BodyBudget } from '../bodies/body-budget.js';

/** Of the budget: answers that nobody takes leave the rest to bodies. */
const ANSWERS_SHARE = 0.25;
/** Of the budget: what one account leaves untaken still leaves room for the answers of others. */
const ACCOUNT_SHARE = ANSWERS_SHARE / 4;

/** Bytes of large answers that clients have not taken yet: of the process, and of each account. */
export class AnswerShares {
  readonly #answers: BodyBudget;
  readonly #heldBy = new Map<string, number>();
  readonly #accountBytes: number;

  constructor(bodies: BodyBudget) {
    this.#answers = bodies.part(ANSWERS_SHARE, 0);
    this.#accountBytes = bodies.bytes * ACCOUNT_SHARE;
  }

  /**
   * Which budget has no room for the answer; null: it has been counted. Null as account: of no account, or of the only one.
   * An answer of any size finds room where no other is held.
   */
  take(account: string | null, bytes: number): 'process' | 'account' | null {
    const held = this.#of(account);
    if (held > 0 && held + bytes > this.#accountBytes) return 'account';
    if (!this.#answers.take(bytes)) {
      if (this.#answers.held > 0) return 'process';
      this.#answers.add(bytes);
    }
    this.#count(account, bytes);
    return null;
  }

  /** Counts it even above the limits. */
  add(account: string | null, bytes: number): void {
    this.#answers.add(bytes);
    this.#count(account, bytes);
  }

  give(account: string | null, bytes: number): void {
    this.#answers.give(bytes);
    this.#count(account, -bytes);
  }

  #of(account: string | null): number {
    return account === null ? 0 : (this.#heldBy.get(account) ?? 0);
  }

  #count(account: string | null, bytes: number): void {
    if (account === null) return;
    const held = this.#of(account) + bytes;
    if (held === 0) this.#heldBy.delete(account);
    else this.#heldBy.set(account, held);
  }
}
