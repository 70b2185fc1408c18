import { Inject, Injectable, Optional } from '@nestjs/common';
import { ACCOUNTS_PORT, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { AccountId, AccountsPort } from '@heddle/contracts-messages';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
/** Name of the only account where there are no keys. */
const SELF_HOSTED = 'self-hosted';

/** The account that a body names, by its name or its id. */
@Injectable()
export class FindAccount {
  constructor(
    /** Absent on self-hosted. */
    @Optional() @Inject(ACCOUNTS_PORT) private readonly accounts: Pick<AccountsPort, 'idOf' | 'namesOf'> | undefined,
  ) {}

  /** Throws for an account that is not known. */
  async id(account: string): Promise<AccountId> {
    const found = this.accounts === undefined ? selfHosted(account) : await this.#known(this.accounts, account);
    if (found !== null) return found;
    throw registryRefusal('invalid_request', { case: 'no_account', account });
  }

  async #known(accounts: Pick<AccountsPort, 'idOf' | 'namesOf'>, account: string): Promise<AccountId | null> {
    const byName = await accounts.idOf(account);
    if (byName !== null || !UUID.test(account)) return byName;
    const id = account as AccountId;
    return (await accounts.namesOf([id])).has(id) ? id : null;
  }
}

function selfHosted(account: string): AccountId | null {
  const { accountId } = SELF_HOSTED_PRINCIPAL;
  return account === SELF_HOSTED || account === accountId ? accountId : null;
}
