import { Inject, Injectable } from '@nestjs/common';
import {
  accepted,
  invalidFields,
  MAX_CREDIT_CHANGE,
  MAX_CREDIT_NOTE,
  MAX_GRANTED,
  refuse,
  rejected,
} from '@heddle/contracts-messages';
import type { AccountCredits, AccountId, Answer, CreditChange } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { creditsOfRow } from '../show-credits/show-credits.handler.js';
import { changeSql } from './change-balance.sql.js';
import type { ChangedBalanceRow } from './change-balance.sql.js';

/** `heddle credits grant` and `withdraw`: the balance and its entry, in one transaction. */
@Injectable()
export class ChangeBalanceHandler {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  async handle(
    accountId: AccountId,
    kind: 'grant' | 'withdraw',
    { amount, note }: CreditChange,
  ): Promise<Answer<AccountCredits>> {
    if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_CREDIT_CHANGE) {
      return rejected(invalidFields({ amount: `must be a whole number from 1 to ${MAX_CREDIT_CHANGE}` }));
    }
    if (note !== null && (note === '' || note.length > MAX_CREDIT_NOTE || !/^\P{C}*$/u.test(note))) {
      const problem = `must be 1 to ${MAX_CREDIT_NOTE} characters, none of them a control character`;
      return rejected(invalidFields({ note: problem }));
    }
    const { rows } = await this.pool.query<ChangedBalanceRow>(changeSql, [accountId, kind, amount, MAX_GRANTED, note]);
    const row = rows[0]!;
    if (row.entry !== null) return accepted(creditsOfRow(row));
    if (kind === 'grant') {
      return rejected(invalidFields({ amount: `must leave the account with at most ${MAX_GRANTED} granted` }));
    }
    const details = { required: amount, balance: Number(row.balance) };
    return rejected(refuse('insufficient_credits', { case: 'withdraw', ...details }, { details }));
  }
}
