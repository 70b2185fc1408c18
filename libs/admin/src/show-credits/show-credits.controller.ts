import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { CREDITS_PORT } from '@heddle/contracts-messages';
import type { AccountCredits, Answer, CreditsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { FindNames } from '../find-names/find-names.js';
import { renderCredits } from './render-credits.js';

@Controller('admin/v1/credits/:account')
export class ShowCreditsController {
  constructor(
    @Inject(CREDITS_PORT) private readonly credits: CreditsPort,
    private readonly names: FindNames,
  ) {}

  @Get()
  show(@Param('account') account: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.#show(account), 200, renderCredits(account));
  }

  async #show(account: string): Promise<Answer<AccountCredits>> {
    const id = await this.names.account(account);
    return id.ok ? { ok: true, value: await this.credits.show(id.value) } : id;
  }
}
