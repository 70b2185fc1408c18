import { accepted, invalidFields, MAX_TASK_CREDITS, rejected } from '@heddle/contracts-messages';
import type {
  AccountId,
  Answer,
  ReserveOutcome,
  SettleOutcome,
  TaskCreditsPort,
  TaskReservation,
  TaskSettlement,
} from '@heddle/contracts-messages';

/** The ledger as the proxy calls it: a balance for each account, one reserve and one settle a task. */
export class TaskCreditsFake implements TaskCreditsPort {
  readonly #balances = new Map<AccountId, number>();
  readonly #reserved = new Map<string, TaskReservation>();
  /** What each settled task cost. */
  readonly charged = new Map<string, number>();

  /** `granted`: what each account has at first. */
  constructor(private readonly granted: number) {}

  balanceOf(accountId: AccountId): number {
    return this.#balances.get(accountId) ?? this.granted;
  }

  /** `amount` may be negative. */
  grant(accountId: AccountId, amount: number): void {
    this.#balances.set(accountId, this.balanceOf(accountId) + amount);
  }

  async reserve(reservation: TaskReservation): Promise<Answer<ReserveOutcome>> {
    return await Promise.resolve(this.#reserve(reservation));
  }

  async settle(settlement: TaskSettlement): Promise<Answer<SettleOutcome>> {
    return await Promise.resolve(this.#settle(settlement));
  }

  #reserve(reservation: TaskReservation): Answer<ReserveOutcome> {
    const { accountId, taskId, amount } = reservation;
    if (!isSum(amount) || amount < 1)
      return rejected(invalidFields({ amount: `must be a whole number from 1 to ${MAX_TASK_CREDITS}` }));
    const first = this.#reserved.get(taskId);
    if (first !== undefined && first.accountId !== accountId)
      return rejected(invalidFields({ account_id: `must be the account that reserved for task ${taskId}` }));
    if (first !== undefined && first.amount !== amount)
      return rejected(invalidFields({ amount: `must be ${first.amount}, which task ${taskId} has reserved` }));
    const balance = this.balanceOf(accountId);
    if (first === undefined && amount > balance) return accepted({ kind: 'uncovered', required: amount, balance });
    if (first === undefined) this.grant(accountId, -amount);
    this.#reserved.set(taskId, reservation);
    return accepted({ kind: 'reserved', reserved: amount });
  }

  #settle({ accountId, taskId, charged }: TaskSettlement): Answer<SettleOutcome> {
    if (!isSum(charged))
      return rejected(invalidFields({ charged: `must be a whole number from 0 to ${MAX_TASK_CREDITS}` }));
    const first = this.#reserved.get(taskId);
    if (first?.accountId !== accountId) return accepted({ kind: 'nothing_reserved' });
    const settled = this.charged.get(taskId);
    if (settled !== undefined && settled !== charged)
      return rejected(invalidFields({ charged: `must be ${settled}, which task ${taskId} was settled with` }));
    const { amount } = first;
    if (charged > amount)
      return rejected(invalidFields({ charged: `must be at most ${amount}, which task ${taskId} has reserved` }));
    if (settled === undefined) this.grant(accountId, amount - charged);
    this.charged.set(taskId, charged);
    return accepted({ kind: 'settled', charged, returned: amount - charged });
  }
}

function isSum(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= MAX_TASK_CREDITS;
}
