import { Injectable, Logger } from '@nestjs/common';
import { accepted } from '@heddle/contracts-messages';
import type { AccountView, Answer, LimitChanges } from '@heddle/contracts-messages';
import { accountOf } from '../accounts-database/account-row.js';
import type { AccountRow } from '../accounts-database/account-row.js';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { givenLimits, limitProblems, limitValues } from '../accounts-database/limit-changes.js';
import { refusedFields, unknownAccount } from '../accounts-database/refusals.js';
import { KeyCache } from '../check-key/key-cache.js';
import { ShareLimits } from '../share-limits/share-limits.js';
import { SET_LIMITS } from './set-limits.sql.js';

@Injectable()
export class SetLimitsHandler {
  readonly #logger = new Logger(SetLimitsHandler.name);

  constructor(
    private readonly database: AccountsDatabase,
    private readonly cache: KeyCache,
    private readonly sharing: ShareLimits,
  ) {}

  async handle(name: string, changes: LimitChanges): Promise<Answer<AccountView>> {
    const invalid = refusedFields(limitProblems(changes));
    if (invalid !== null) return invalid;
    const values = [name, givenLimits(changes), ...limitValues(changes)];
    // Also after a failure: the statement may have been committed.
    const [row] = await this.database
      .query<AccountRow>(SET_LIMITS, values)
      .finally(() => this.cache.evictAccount(name));
    if (row === undefined) return unknownAccount(name);
    this.#logger.log({ message: 'limits of an account were set', account: name });
    await this.sharing.share();
    return accepted(accountOf(row));
  }
}
