import { Inject, Injectable } from '@nestjs/common';
import { NO_CREDITS } from '@heddle/contracts-messages';
import type { AccountCredits, AccountId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_READS } from '../jobs-connections.js';
import { balancesSql, balanceSql } from './show-credits.sql.js';
import type { BalanceRow } from './show-credits.sql.js';

/** What accounts have: an account without entries has nothing. */
@Injectable()
export class ShowCreditsHandler {
  constructor(@Inject(JOBS_READS) private readonly pool: Pool) {}

  async handle(accountId: AccountId): Promise<AccountCredits> {
    const { rows } = await this.pool.query<BalanceRow>({ name: 'balance', text: balanceSql, values: [accountId] });
    return rows[0] === undefined ? NO_CREDITS : creditsOfRow(rows[0]);
  }

  async balancesOf(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>> {
    const { rows } = await this.pool.query<{ account_id: AccountId; balance: string }>(balancesSql, [accountIds]);
    return new Map(rows.map(({ account_id, balance }) => [account_id, Number(balance)]));
  }
}

export function creditsOfRow({ balance, reserved, granted, charged, withdrawn }: BalanceRow): AccountCredits {
  return {
    balance: Number(balance),
    reserved: Number(reserved),
    granted: Number(granted),
    charged: Number(charged),
    withdrawn: Number(withdrawn),
  };
}
