import { Controller, Delete, Inject, Param, Req, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { Answer, AssetId, AssetsPort } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';

@Controller('api/v2/assets')
export class DeleteAssetController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Delete(':id')
  delete(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respondEmpty(reply, this.#delete(request, id), 204);
  }

  async #delete(request: FastifyRequest, text: string): Promise<Answer<null>> {
    const id = idIn<AssetId>(text);
    return id === null ? notFound() : await this.assets.delete(principalOf(request), id);
  }
}
