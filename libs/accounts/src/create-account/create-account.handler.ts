import { Injectable, Logger } from '@nestjs/common';
import { accountNameProblem } from '@heddle/accounts-domain';
import { accepted, newUuid, refuse, rejected } from '@heddle/contracts-messages';
import type { AccountView, Answer, LimitChanges } from '@heddle/contracts-messages';
import { accountOf } from '../accounts-database/account-row.js';
import type { AccountRow } from '../accounts-database/account-row.js';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { limitProblems, limitValues } from '../accounts-database/limit-changes.js';
import { refusedFields } from '../accounts-database/refusals.js';
import { ShareLimits } from '../share-limits/share-limits.js';
import { CREATE_ACCOUNT } from './create-account.sql.js';

@Injectable()
export class CreateAccountHandler {
  readonly #logger = new Logger(CreateAccountHandler.name);

  constructor(
    private readonly database: AccountsDatabase,
    private readonly sharing: ShareLimits,
  ) {}

  async handle(name: string, limits: LimitChanges): Promise<Answer<AccountView>> {
    const invalid = refusedFields({ name: accountNameProblem(name), ...limitProblems(limits) });
    if (invalid !== null) return invalid;
    const [row] = await this.database.query<AccountRow>(CREATE_ACCOUNT, [newUuid(), name, ...limitValues(limits)]);
    if (row === undefined) return rejected(refuse('already_exists', { case: 'account', name }));
    this.#logger.log({ message: 'an account was created', account: name });
    await this.sharing.share();
    return accepted(accountOf(row));
  }
}
