import { Controller, Head, Inject, Param, Res } from '@nestjs/common';
import { accepted, ASSETS_PORT, notFound } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, Principal } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';

@Controller('api/v2/assets/by-hash')
export class CheckAssetHashController {
  constructor(@Inject(ASSETS_PORT) private readonly assets: AssetsPort) {}

  @Head(':hash')
  check(
    @Param('hash') hash: string,
    @CallerPrincipal() principal: Principal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respondEmpty(reply, this.assets.canMint(principal, hash).then(orNotFound), 200);
  }
}

function orNotFound(isThere: boolean): Answer<null> {
  return isThere ? accepted(null) : notFound();
}
