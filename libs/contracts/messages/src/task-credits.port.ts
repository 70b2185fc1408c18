import type { Answer } from './answer.js';
import type { AccountId, TaskId } from './ids.js';

/** The price of a task of the partner proxy, before its vendor is called. */
export interface TaskReservation {
  readonly accountId: AccountId;
  readonly taskId: TaskId;
  /** Whole credits, 1 to MAX_TASK_CREDITS. A task without a price makes no call. */
  readonly amount: number;
}

/** The end of a task. */
export interface TaskSettlement {
  readonly accountId: AccountId;
  readonly taskId: TaskId;
  /** Whole credits, from 0 to the amount that was reserved. */
  readonly charged: number;
}

/**
 * `reserved`: what was taken from the balance: the amount, or 0 where the surface takes no credits. `uncovered`: the balance is
 * below the amount that is required, and nothing changed. An account without entries has a balance of 0.
 */
export type ReserveOutcome =
  | { readonly kind: 'reserved'; readonly reserved: number }
  | { readonly kind: 'uncovered'; readonly required: number; readonly balance: number };

/**
 * `returned`: what went back to the balance: the amount that was reserved, less what is charged. `nothing_reserved`: for the
 * task, or by this account.
 */
export type SettleOutcome =
  | { readonly kind: 'settled'; readonly charged: number; readonly returned: number }
  | { readonly kind: 'nothing_reserved' };

/**
 * Credits of the partner proxy's tasks (registry, Partner proxy). Both calls may be repeated: the ledger has at most one
 * reserve and one settle a task, and a repeat gets the answer of the first call. A caller that does not know whether its
 * call arrived repeats it with the same values, and settles only after `reserve` was answered. Both refuse with
 * `invalid_request`, naming the field, where a value is out of its range or differs from what the ledger has of the task.
 * Implementations pass `libs/testing/jobs/src/task-credits.suite.ts`.
 */
export interface TaskCreditsPort {
  /** After the settle it still gives the answer of the first call. */
  reserve(reservation: TaskReservation): Promise<Answer<ReserveOutcome>>;
  settle(settlement: TaskSettlement): Promise<Answer<SettleOutcome>>;
}
export const TASK_CREDITS_PORT = Symbol('TaskCreditsPort');

/** The most that a task may cost. */
export const MAX_TASK_CREDITS = 1_000_000_000;
