import { Controller, Head, Inject, Param, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { Answer, AssetsPort } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';

@Controller('api/v2/assets/by-hash')
export class CheckAssetHashController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Head(':hash')
  check(@Param('hash') hash: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respondEmpty(reply, this.#canMint(request, hash), 200);
  }

  async #canMint(request: FastifyRequest, hash: string): Promise<Answer<null>> {
    return (await this.assets.canMint(principalOf(request), hash)) ? { ok: true, value: null } : notFound();
  }
}
