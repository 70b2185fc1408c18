import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { AccountFacts } from '../account-facts/account-facts.js';
import { renderAccount } from '../account-facts/render-account.js';

@Controller('admin/v1/accounts/:name')
export class ShowAccountController {
  constructor(
    @Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort,
    private readonly facts: AccountFacts,
  ) {}

  @Get()
  show(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.facts.describe(this.accounts.show(name)), 200, renderAccount);
  }
}
