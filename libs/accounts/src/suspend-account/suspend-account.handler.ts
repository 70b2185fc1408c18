import { Injectable, Logger } from '@nestjs/common';
import { accepted } from '@heddle/contracts-messages';
import type { AccountView, Answer } from '@heddle/contracts-messages';
import { accountOf } from '../accounts-database/account-row.js';
import type { AccountRow } from '../accounts-database/account-row.js';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { unknownAccount } from '../accounts-database/refusals.js';
import { KeyCache } from '../check-key/key-cache.js';
import { RESUME_ACCOUNT, SUSPEND_ACCOUNT } from './suspend-account.sql.js';

/** Suspends an account or resumes it: in this process at once, in others when their cached keys are looked up again. */
@Injectable()
export class SuspendAccountHandler {
  readonly #logger = new Logger(SuspendAccountHandler.name);

  constructor(
    private readonly database: AccountsDatabase,
    private readonly cache: KeyCache,
  ) {}

  async handle(name: string, change: 'suspend' | 'resume'): Promise<Answer<AccountView>> {
    const statement = change === 'suspend' ? SUSPEND_ACCOUNT : RESUME_ACCOUNT;
    // Also after a failure: the statement may have been committed.
    const [row] = await this.database.query<AccountRow>(statement, [name]).finally(() => this.cache.evictAccount(name));
    if (row === undefined) return unknownAccount(name);
    this.#logger.log({ message: `an account was ${change}${change === 'suspend' ? 'ed' : 'd'}`, account: name });
    return accepted(accountOf(row));
  }
}
