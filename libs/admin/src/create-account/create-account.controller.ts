import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { AccountFacts } from '../account-facts/account-facts.js';
import { renderAccount } from '../account-facts/render-account.js';
import { adminBody } from '../read-request/admin-body.js';
import type { AccountBody } from './account-body.dto.js';

const ACCOUNT_BODY = adminBody(async () => (await import('./account-body.dto.js')).AccountBody);

@Controller('admin/v1/accounts')
export class CreateAccountController {
  constructor(
    @Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort,
    private readonly facts: AccountFacts,
  ) {}

  @Post()
  create(@Body(ACCOUNT_BODY) body: AccountBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(
      reply,
      this.facts.describe(this.accounts.create(body.toName(), body.toLimits())),
      201,
      renderAccount,
    );
  }
}
