import { Controller, Delete, Inject, Param, Res } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetId, AssetsPort, Principal } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { Caller } from '../read-request/caller.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';

@Controller('api/v2/assets')
export class DeleteAssetController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Delete(':id')
  delete(@Param('id', IdPipe) id: AssetId, @Caller() caller: Principal, @Res() reply: FastifyReply): Promise<void> {
    return respondEmpty(reply, this.assets.delete(caller, id), 204);
  }
}
