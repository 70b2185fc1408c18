import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type {
  Answer,
  ReservedCredits,
  SettledCredits,
  TaskCreditsPort,
  TaskReservation,
  TaskSettlement,
} from '@heddle/contracts-messages';

/** The ledger as the proxy calls it: one account's balance, one reserve and one settle a task. */
export class TaskCreditsFake implements TaskCreditsPort {
  readonly reserved = new Map<string, number>();
  readonly charged = new Map<string, number>();
  /** Settlements beyond the first one of a task. */
  repeats = 0;

  constructor(public balance: number) {}

  reserve({ taskId, amount }: TaskReservation): Promise<Answer<ReservedCredits>> {
    if (this.reserved.has(taskId)) return Promise.resolve(accepted({ reserved: amount }));
    if (amount > this.balance) {
      const details = { required: amount, balance: this.balance };
      const text = { case: 'submission', ...details } as const;
      return Promise.resolve(rejected(refuse('insufficient_credits', text, { details })));
    }
    this.reserved.set(taskId, amount);
    this.balance -= amount;
    return Promise.resolve(accepted({ reserved: amount }));
  }

  settle({ taskId, charged }: TaskSettlement): Promise<Answer<SettledCredits>> {
    const reserved = this.reserved.get(taskId);
    if (reserved === undefined) return Promise.resolve(rejected(refuse('not_found', { case: 'resource' })));
    if (this.charged.has(taskId)) this.repeats += 1;
    else this.balance += reserved - charged;
    this.charged.set(taskId, charged);
    return Promise.resolve(accepted({ charged, returned: reserved - charged }));
  }
}
