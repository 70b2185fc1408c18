import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { AccountFacts } from '../account-facts/account-facts.js';
import { renderAccount } from '../account-facts/render-account.js';
import { adminBody } from '../read-request/admin-body.js';
import type { LimitsBody } from './limits-body.dto.js';

const LIMITS_BODY = adminBody(async () => (await import('./limits-body.dto.js')).LimitsBody);

@Controller('admin/v1/accounts/:name/limits')
export class SetAccountLimitsController {
  constructor(
    @Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort,
    private readonly facts: AccountFacts,
  ) {}

  @Post()
  set(@Param('name') name: string, @Body(LIMITS_BODY) body: LimitsBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.facts.describe(this.accounts.setLimits(name, body.toChanges())), 200, renderAccount);
  }
}
