import { Controller, Head, Inject, Param, Res } from '@nestjs/common';
import { accepted, ASSETS_PORT, notFound } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, Principal } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { Caller } from '../read-request/caller.decorator.js';

@Controller('api/v2/assets/by-hash')
export class CheckAssetHashController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Head(':hash')
  check(@Param('hash') hash: string, @Caller() caller: Principal, @Res() reply: FastifyReply): Promise<void> {
    return respondEmpty(reply, this.assets.canMint(caller, hash).then(orNotFound), 200);
  }
}

function orNotFound(isThere: boolean): Answer<null> {
  return isThere ? accepted(null) : notFound();
}
