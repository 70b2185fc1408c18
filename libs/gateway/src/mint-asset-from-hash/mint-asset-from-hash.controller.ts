import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, MintedAsset } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../authenticate/admission.js';
import { GatewaySettings } from '../settings.js';
import { renderMinted } from '../render-wire/asset-wire.js';
import { renderContext } from '../render-wire/render-context.js';

@Controller('api/v2/assets/from-hash')
export class MintAssetFromHashController {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    private readonly settings: GatewaySettings,
  ) {}

  /** 201: minted; 200: an identical reference existed. Never new bytes. */
  @Post()
  mint(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const status = (minted: MintedAsset): number => (minted.created ? 201 : 200);
    return respond(reply, this.#mint(request), status, (minted) =>
      renderMinted(minted, false, renderContext(request, this.settings)),
    );
  }

  async #mint(request: FastifyRequest): Promise<Answer<MintedAsset>> {
    // class-validator costs 20 MiB and a tenth of a second: load it at the first mint, not at start.
    const { parseMintBody } = await import('./mint-body.js');
    const body = parseMintBody(request.body);
    return body.ok ? this.assets.mintFromHash(principalOf(request), body.value) : body;
  }
}
