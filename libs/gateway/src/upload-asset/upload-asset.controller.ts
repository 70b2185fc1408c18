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
    const refused = this.#refusedByHead(request);
    if (refused !== null) return refused;
    const header = idempotencyKeyOf(request);
    if (!header.ok) return invalid('Idempotency-Key', header.message);
    const body = request.raw as Readable;
    const contentType = request.headers['content-type'];
    return this.assets.upload(principalOf(request), { contentType, idempotencyKey: header.key, body });
  }

  /** What the head alone rules out: nobody has to send a body for that. */
  #refusedByHead({ headers }: FastifyRequest): Answer<never> | null {
    const { uploadRequestBytes } = this.settings;
    if (Number(headers['content-length'] ?? 0) > uploadRequestBytes) {
      return rejected(
        'payload_too_large',
        `An upload may have ${uploadRequestBytes} bytes, its multipart frame included.`,
      );
    }
    const encoding = headers['content-encoding'] ?? 'identity';
    return encoding === 'identity' ? null : invalid('Content-Encoding', 'An upload is sent as it is, in no encoding.');
  }
}

function invalid(field: string, message: string): Answer<never> {
  return rejected('invalid_request', message, { details: { fields: { [field]: message } } });
}
