import { Controller, Delete, Inject, Param, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetId, AssetsPort, Principal } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';

@Controller('api/v2/assets')
export class DeleteAssetController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Delete(':id')
  delete(
    @Param('id', IdPipe) id: AssetId,
    @CallerPrincipal() principal: Principal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respondEmpty(reply, this.assets.delete(principal, id), 204);
  }
}
