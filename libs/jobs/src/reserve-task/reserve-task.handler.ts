import { Inject, Injectable } from '@nestjs/common';
import { accepted, invalidFields, MAX_TASK_CREDITS, rejected } from '@heddle/contracts-messages';
import type { Answer, ReserveOutcome, TaskReservation } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { reserveSql } from './reserve-task.sql.js';
import type { ReservedTaskRow } from './reserve-task.sql.js';

/** Takes the price of a task from the balance, before its vendor is called: balance and entry in one transaction. */
@Injectable()
export class ReserveTaskHandler {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  async handle({ accountId, taskId, amount }: TaskReservation): Promise<Answer<ReserveOutcome>> {
    if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_TASK_CREDITS) {
      return rejected(invalidFields({ amount: `must be a whole number from 1 to ${MAX_TASK_CREDITS}` }));
    }
    const values = [accountId, taskId, amount];
    const { rows } = await this.pool.query<ReservedTaskRow>({ name: 'reserve-task', text: reserveSql, values });
    const { verdict, known, funds } = rows[0]!;
    switch (verdict) {
      case 'reserved':
        return accepted({ kind: 'reserved', reserved: amount });
      case 'insufficient_credits':
        return accepted({ kind: 'uncovered', required: amount, balance: Number(funds) });
      case 'other_account':
        return rejected(invalidFields({ account_id: `must be the account that reserved for task ${taskId}` }));
      case 'other_amount':
        return rejected(invalidFields({ amount: `must be ${known}, which task ${taskId} has reserved` }));
    }
  }
}
