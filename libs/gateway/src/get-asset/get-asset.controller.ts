import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetsPort, AssetView } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';
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
  get(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const render = (asset: AssetView): string => renderAsset(asset, renderContext(request, this.settings));
    return respond(reply, this.#asset(request, id), 200, render);
  }

  async #asset(request: FastifyRequest, text: string): Promise<Answer<AssetView>> {
    const id = idIn<AssetId>(text);
    return id === null ? notFound() : this.assets.get(principalOf(request), id);
  }
}
