import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, MintedAsset, Principal } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import { GatewaySettings } from '../settings.js';
import { readUploadHead } from './upload-head.js';

/** POST /assets: the headers decide first; then the body is streamed to the assets service, which alone reads it. */
@Injectable()
export class ReceiveUploadHandler {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    private readonly settings: GatewaySettings,
  ) {}

  async handle(
    principal: Principal,
    { headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>,
  ): Promise<Answer<MintedAsset>> {
    const head = readUploadHead(headers, this.settings);
    if (!head.ok) return head;
    return this.assets.upload(principal, { ...head.value, body: raw as Readable });
  }
}
