import type { Readable } from 'node:stream';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { ASSETS_PORT, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, MintedAsset } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';
import { GatewaySettings } from '../settings.js';
import { renderMinted } from '../render-wire/asset-wire.js';
import { renderContext } from '../render-wire/render-context.js';

@Controller('api/v2/assets')
export class UploadAssetController {
  constructor(
    @Inject(ASSETS_PORT) private readonly assets: AssetsPort,
    private readonly settings: GatewaySettings,
  ) {}

  /** The body is streamed to the assets service; nothing of it is read here. */
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
    if (!header.ok) return invalid('key_header', 'Idempotency-Key');
    const body = request.raw as Readable;
    const contentType = request.headers['content-type'];
    return this.assets.upload(principalOf(request), { contentType, idempotencyKey: header.key, body });
  }

  /** Refusals that the headers alone decide, so that nobody sends a body for nothing. */
  #refusedByHead({ headers }: FastifyRequest): Answer<never> | null {
    const { uploadRequestBytes } = this.settings;
    const announced = Number(headers['content-length'] ?? 0);
    if (announced > uploadRequestBytes) {
      return rejected(refuse('payload_too_large', { case: 'upload', limit: uploadRequestBytes, announced }));
    }
    const encoding = headers['content-encoding'] ?? 'identity';
    return encoding === 'identity' ? null : invalid('encoding', 'Content-Encoding');
  }
}

/** An invalid header: the text is also its detail. */
function invalid(kind: 'key_header' | 'encoding', header: string): Answer<never> {
  const refused = refuse('invalid_request', { case: kind });
  return rejected({ ...refused, details: { fields: { [header]: refused.message } } });
}
