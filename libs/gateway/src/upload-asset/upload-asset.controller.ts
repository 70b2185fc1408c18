import type { Readable } from 'node:stream';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { ASSETS_PORT, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, MintedAsset } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf, principalOf } from '../api-request.js';
import { GatewaySettings } from '../gateway-settings.js';
import { renderMinted } from '../render-wire/asset-wire.js';
import { renderContext } from '../render-wire/render-context.js';

@Controller('api/v2/assets')
export class UploadAssetController {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    private readonly settings: GatewaySettings,
  ) {}

  /** The body goes to the assets service as it arrives: nothing of it is read here. */
  @Post()
  upload(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const status = (minted: MintedAsset): number => (minted.created ? 201 : 200);
    return respond(reply, this.#upload(request), status, (minted) =>
      renderMinted(minted, minted.created, renderContext(request, this.settings)),
    );
  }

  async #upload(request: FastifyRequest): Promise<Answer<MintedAsset>> {
    const header = idempotencyKeyOf(request);
    if (!header.ok) {
      return rejected('invalid_request', header.message, {
        details: { fields: { 'Idempotency-Key': header.message } },
      });
    }
    const body = request.raw as Readable;
    const contentType = request.headers['content-type'];
    return this.assets.upload(principalOf(request), { contentType, idempotencyKey: header.key, body });
  }
}
