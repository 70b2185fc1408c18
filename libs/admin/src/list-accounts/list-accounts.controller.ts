import { Controller, Get, Inject } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort, ListPart } from '@heddle/contracts-messages';
import { AccountFacts } from '../account-facts/account-facts.js';
import { accountWire } from '../account-facts/render-account.js';
import { AskedPart } from '../read-request/list-part.decorator.js';

@Controller('admin/v1/accounts')
export class ListAccountsController {
  constructor(
    @Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort,
    private readonly facts: AccountFacts,
  ) {}

  /** `next`: the `after` of the next part; null at the end. */
  @Get()
  async list(@AskedPart() part: ListPart): Promise<object> {
    const accounts = await this.accounts.list(part);
    const next = accounts.length < part.limit ? null : accounts.at(-1)!.name;
    return { accounts: (await this.facts.describeAll(accounts)).map(accountWire), next };
  }
}
