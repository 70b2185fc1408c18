import { Injectable } from '@nestjs/common';
import type { AccountId, AccountUsePort, ReportedUse, SettledUse } from '@heddle/contracts-messages';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { FORGET_USE, LEAVE, SETTLE_USE } from './settle-use.sql.js';
import type { SettledRow } from './settle-use.sql.js';

const FORGET_EVERY_MS = 60_000;

/** Adds up the use of accounts over gateways: one statement for all accounts that a gateway reports. */
@Injectable()
export class SettleUseHandler implements AccountUsePort {
  #deleteAt = performance.now() + FORGET_EVERY_MS;

  constructor(private readonly database: AccountsDatabase) {}

  async settle(gatewayId: string, uses: readonly ReportedUse[]): Promise<SettledUse> {
    const rows = await this.database.query<SettledRow>(SETTLE_USE, [
      gatewayId,
      uses.map(({ accountId }) => accountId),
      uses.map(({ reads }) => reads?.count ?? null),
      uses.map(({ reads }) => reads?.rate ?? null),
      uses.map(({ reads }) => reads?.burst ?? null),
      uses.map(({ streams }) => streams),
    ]);
    await this.#delete();
    const accounts = rows.flatMap(({ account_id: id, tokens, streams, users }) =>
      id === null ? [] : [{ accountId: id as AccountId, tokens, otherStreams: streams, gateways: users + 1 }],
    );
    return { gateways: (rows[0]?.others ?? 0) + 1, accounts };
  }

  async leave(gatewayId: string): Promise<void> {
    await this.database.query(LEAVE, [gatewayId]);
  }

  async #delete(): Promise<void> {
    if (performance.now() < this.#deleteAt) return;
    this.#deleteAt = performance.now() + FORGET_EVERY_MS;
    await this.database.query(FORGET_USE, []);
  }
}
