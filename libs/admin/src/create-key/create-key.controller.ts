import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { renderIssuedKey } from '../list-keys/render-key.js';
import { adminBody } from '../read-request/admin-body.js';
import type { KeyBody } from './key-body.dto.js';

const KEY_BODY = adminBody(async () => (await import('./key-body.dto.js')).KeyBody);

@Controller('admin/v1/keys')
export class CreateKeyController {
  constructor(@Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort) {}

  @Post()
  create(@Body(KEY_BODY) body: KeyBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.accounts.createKey(body.toRequest()), 201, renderIssuedKey);
  }
}
