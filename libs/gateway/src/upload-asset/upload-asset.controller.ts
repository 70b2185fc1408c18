import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { GatewaySettings } from '../settings.js';
import { mintedStatus, renderMinted } from '../render-wire/asset-wire.js';
import { renderContext } from '../render-wire/render-context.js';
import { ReceiveUploadHandler } from './receive-upload.handler.js';

@Controller('api/v2/assets')
export class UploadAssetController {
  constructor(
    private readonly receive: ReceiveUploadHandler,
    private readonly settings: GatewaySettings,
  ) {}

  @Post()
  upload(
    @CallerPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.receive.handle(principal, request), mintedStatus, (minted) =>
      renderMinted(minted, minted.created, renderContext(request, this.settings)),
    );
  }
}
