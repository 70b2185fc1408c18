import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { AssetId, Principal } from '@heddle/contracts-messages';
import { respondBytes } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { baseUrlOf, signedBaseOf } from '../render-wire/links.js';
import { GatewaySettings } from '../settings.js';
import { GetAssetContentHandler } from './get-asset-content.handler.js';

@Controller('api/v2/assets')
export class GetAssetContentController {
  constructor(
    private readonly getContent: GetAssetContentHandler,
    private readonly settings: GatewaySettings,
  ) {}

  @Get(':id/content')
  get(
    @Param('id', IdPipe) id: AssetId,
    @CallerPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respondBytes(reply, () =>
      this.getContent.handle(principal, id, request, signedBaseOf(baseUrlOf(request, this.settings), this.settings)),
    );
  }
}
