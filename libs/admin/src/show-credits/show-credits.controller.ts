import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { accepted, CREDITS_PORT } from '@heddle/contracts-messages';
import type { CreditsPort } from '@heddle/contracts-messages';
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
    return respond(
      reply,
      this.names.withAccount(account, (id) => this.credits.show(id).then(accepted)),
      200,
      renderCredits(account),
    );
  }
}
