import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { CREDITS_PORT } from '@heddle/contracts-messages';
import type { CreditsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { FindNames } from '../find-names/find-names.js';
import { renderCredits } from '../show-credits/render-credits.js';
import { adminBody } from '../read-request/admin-body.js';
import type { ChangeBody } from './change-body.dto.js';

const CHANGE_BODY = adminBody(async () => (await import('./change-body.dto.js')).ChangeBody);

@Controller('admin/v1/credits/:account')
export class ChangeCreditsController {
  constructor(
    @Inject(CREDITS_PORT) private readonly credits: CreditsPort,
    private readonly names: FindNames,
  ) {}

  @Post('grant')
  grant(
    @Param('account') account: string,
    @Body(CHANGE_BODY) body: ChangeBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(
      reply,
      this.names.withAccount(account, (id) => this.credits.grant(id, body.toChange())),
      200,
      renderCredits(account),
    );
  }

  @Post('withdraw')
  withdraw(
    @Param('account') account: string,
    @Body(CHANGE_BODY) body: ChangeBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(
      reply,
      this.names.withAccount(account, (id) => this.credits.withdraw(id, body.toChange())),
      200,
      renderCredits(account),
    );
  }
}
