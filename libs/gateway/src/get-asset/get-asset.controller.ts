import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetId, AssetsPort, Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { GatewaySettings } from '../settings.js';
import { renderAsset } from '../render-wire/asset-wire.js';
import { renderContext } from '../render-wire/render-context.js';

@Controller('api/v2/assets')
export class GetAssetController {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    private readonly settings: GatewaySettings,
  ) {}

  @Get(':id')
  get(
    @Param('id', IdPipe) id: AssetId,
    @CallerPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.assets.get(principal, id), 200, (asset) =>
      renderAsset(asset, renderContext(request, this.settings)),
    );
  }
}
