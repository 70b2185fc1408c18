import { Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { NAME_ACCOUNTS } from './find-accounts.sql.js';
import type { NamedAccountRow } from './find-accounts.sql.js';

/** Names of accounts by their ids, for other contexts, which know ids alone. */
@Injectable()
export class FindAccountsHandler {
  constructor(private readonly database: AccountsDatabase) {}

  async handle(ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<NamedAccountRow>(NAME_ACCOUNTS, [ids]);
    return new Map(rows.map(({ account_id: id, name }) => [id, name]));
  }
}
