import { Controller, Get, Inject } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort, ListPart } from '@heddle/contracts-messages';
import { AccountFacts } from '../account-facts/account-facts.js';
import { accountsPart } from '../account-facts/render-account.js';
import { AskedPart } from '../read-request/list-part.decorator.js';

@Controller('admin/v1/accounts')
export class ListAccountsController {
  constructor(
    @Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort,
    private readonly facts: AccountFacts,
  ) {}

  @Get()
  async list(@AskedPart() part: ListPart): Promise<object> {
    return accountsPart(await this.facts.describeAll(await this.accounts.list(part)), part.limit);
  }
}
