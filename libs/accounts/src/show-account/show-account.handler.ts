import { Injectable } from '@nestjs/common';
import { accepted } from '@heddle/contracts-messages';
import type { AccountView, Answer } from '@heddle/contracts-messages';
import { accountOf } from '../accounts-database/account-row.js';
import type { AccountRow } from '../accounts-database/account-row.js';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { unknownAccount } from '../accounts-database/refusals.js';
import { SHOW_ACCOUNT } from './show-account.sql.js';

@Injectable()
export class ShowAccountHandler {
  constructor(private readonly database: AccountsDatabase) {}

  async handle(name: string): Promise<Answer<AccountView>> {
    const [row] = await this.database.query<AccountRow>(SHOW_ACCOUNT, [name]);
    return row === undefined ? unknownAccount(name) : accepted(accountOf(row));
  }
}
