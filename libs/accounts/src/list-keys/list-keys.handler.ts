import { Injectable } from '@nestjs/common';
import { accepted } from '@heddle/contracts-messages';
import type { Answer, KeyView, ListPart } from '@heddle/contracts-messages';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { keyOf } from '../accounts-database/key-row.js';
import type { KeyRow } from '../accounts-database/key-row.js';
import { ShowAccountHandler } from '../show-account/show-account.handler.js';
import { LIST_ALL_KEYS, LIST_KEYS } from './list-keys.sql.js';

/** A part of the list, in the order of ids: as fast at its end as at its beginning. */
@Injectable()
export class ListKeysHandler {
  constructor(
    private readonly database: AccountsDatabase,
    private readonly accounts: ShowAccountHandler,
  ) {}

  async handle(account: string | null, { after, limit }: ListPart): Promise<Answer<readonly KeyView[]>> {
    const part = [after ?? '', limit];
    if (account === null) return accepted((await this.database.query<KeyRow>(LIST_ALL_KEYS, part)).map(keyOf));
    const found = await this.accounts.handle(account);
    if (!found.ok) return found;
    const rows = await this.database.query<KeyRow>(LIST_KEYS, [...part, found.value.accountId]);
    return accepted(rows.map(keyOf));
  }
}
