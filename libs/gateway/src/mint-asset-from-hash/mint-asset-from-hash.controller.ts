import { Body, Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetsPort, Principal } from '@heddle/contracts-messages';
import { JsonBodyPipe, respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { GatewaySettings } from '../settings.js';
import { mintedStatus, renderMinted } from '../render-wire/asset-wire.js';
import { renderContext } from '../render-wire/render-context.js';
import type { MintBody } from './mint-body.dto.js';

const MINT_BODY = new JsonBodyPipe(async () => (await import('./mint-body.dto.js')).MintBody);

@Controller('api/v2/assets/from-hash')
export class MintAssetFromHashController {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    private readonly settings: GatewaySettings,
  ) {}

  /** Never new bytes. */
  @Post()
  mint(
    @CallerPrincipal() principal: Principal,
    @Body(MINT_BODY) body: MintBody,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.assets.mintFromHash(principal, body.toRequest()), mintedStatus, (minted) =>
      renderMinted(minted, false, renderContext(request, this.settings)),
    );
  }
}
