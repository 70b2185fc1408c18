import { Injectable } from '@nestjs/common';
import type { AccountView, ListPart } from '@heddle/contracts-messages';
import { accountOf } from '../accounts-database/account-row.js';
import type { AccountRow } from '../accounts-database/account-row.js';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { LIST_ACCOUNTS } from './list-accounts.sql.js';

/** A part of the list, in the order of names: as fast at its end as at its beginning. */
@Injectable()
export class ListAccountsHandler {
  constructor(private readonly database: AccountsDatabase) {}

  async handle({ after, limit }: ListPart): Promise<readonly AccountView[]> {
    return (await this.database.query<AccountRow>(LIST_ACCOUNTS, [after ?? '', limit])).map(accountOf);
  }
}
