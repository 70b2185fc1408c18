import { Controller, Get, Inject, Req } from '@nestjs/common';
import { CREDITS_PORT } from '@heddle/contracts-messages';
import type { CreditCheck, CreditsPort } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import { queryOf } from '../read-request/list-part.decorator.js';

/** A part of the check of all ledgers; `next` is the `from` of the part behind it, null at the end. */
@Controller('admin/v1/credit-check')
export class CheckCreditsController {
  constructor(@Inject(CREDITS_PORT) private readonly credits: CreditsPort) {}

  @Get()
  async check(@Req() request: FastifyRequest): Promise<CreditCheck> {
    return await this.credits.check(queryOf(request).get('from'));
  }
}
