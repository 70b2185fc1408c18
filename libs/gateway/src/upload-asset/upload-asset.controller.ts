import type { Readable } from 'node:stream';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, MintedAsset, Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../read-request/caller.decorator.js';
import { GatewaySettings } from '../settings.js';
import { renderMinted } from '../render-wire/asset-wire.js';
import { renderContext } from '../render-wire/render-context.js';
import { readUploadHead } from './upload-head.js';

@Controller('api/v2/assets')
export class UploadAssetController {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    private readonly settings: GatewaySettings,
  ) {}

  /** The body is streamed to the assets service; nothing of it is read here. */
  @Post()
  upload(@Caller() caller: Principal, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const status = (minted: MintedAsset): number => (minted.created ? 201 : 200);
    return respond(reply, this.#upload(caller, request), status, (minted) =>
      renderMinted(minted, minted.created, renderContext(request, this.settings)),
    );
  }

  async #upload(caller: Principal, request: FastifyRequest): Promise<Answer<MintedAsset>> {
    const head = readUploadHead(request.headers, this.settings.uploadRequestBytes);
    if (!head.ok) return head;
    return this.assets.upload(caller, { ...head.value, body: request.raw as Readable });
  }
}
