import { Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { renderKey } from '../list-keys/render-key.js';

@Controller('admin/v1/keys/:id/revoke')
export class RevokeKeyController {
  constructor(@Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort) {}

  @Post()
  revoke(@Param('id') keyId: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.accounts.revokeKey(keyId), 200, renderKey);
  }
}
