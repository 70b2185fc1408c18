import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import { accepted, invalidFields, MAX_TASK_CREDITS, rejected } from '@heddle/contracts-messages';
import type { Answer, SettleOutcome, TaskSettlement } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { settleSql } from './settle-task.sql.js';
import type { SettledTaskRow } from './settle-task.sql.js';

/** Ends the reservation of a task: balance and entry in one transaction. */
@Injectable()
export class SettleTaskHandler {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly log: BackgroundLogger,
  ) {}

  async handle({ accountId, taskId, charged }: TaskSettlement): Promise<Answer<SettleOutcome>> {
    if (!Number.isSafeInteger(charged) || charged < 0 || charged > MAX_TASK_CREDITS) {
      return rejected(invalidFields({ charged: `must be a whole number from 0 to ${MAX_TASK_CREDITS}` }));
    }
    const values = [accountId, taskId, charged];
    const { rows } = await this.pool.query<SettledTaskRow>({ name: 'settle-task', text: settleSql, values });
    const { verdict, reserved, charged: known } = rows[0]!;
    switch (verdict) {
      case 'settled':
        return accepted({ kind: 'settled', charged, returned: Number(reserved) - charged });
      case 'unknown_task':
        // The caller settles only what was reserved, so one of the two has lost something.
        this.log.warn('credits of a task without a reservation were to be settled', { accountId, taskId, charged });
        return accepted({ kind: 'nothing_reserved' });
      case 'other_charge':
        return rejected(invalidFields({ charged: `must be ${known}, which task ${taskId} was settled with` }));
      case 'beyond_reserve':
        return rejected(invalidFields({ charged: `must be at most ${reserved}, which task ${taskId} has reserved` }));
    }
  }
}
