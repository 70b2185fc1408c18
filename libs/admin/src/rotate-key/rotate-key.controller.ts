import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { renderIssuedKey } from '../list-keys/render-key.js';
import { adminBody } from '../read-request/admin-body.js';
import type { RotationBody } from './rotation-body.dto.js';

const ROTATION_BODY = adminBody(async () => (await import('./rotation-body.dto.js')).RotationBody);

@Controller('admin/v1/keys/:id/rotate')
export class RotateKeyController {
  constructor(@Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort) {}

  @Post()
  rotate(
    @Param('id') keyId: string,
    @Body(ROTATION_BODY) body: RotationBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.accounts.rotateKey(keyId, body.toSeconds()), 201, renderIssuedKey);
  }
}
