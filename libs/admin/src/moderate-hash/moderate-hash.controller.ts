import { Controller, Get, Inject, Param, Post, Res } from '@nestjs/common';
import { MODERATION_PORT } from '@heddle/contracts-messages';
import type { HashVerdict, ModerationDecision, ModerationPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';

/** Bytes by their hash, of whatever account, stored or not. */
@Controller('admin/v1/assets/:hash')
export class ModerateHashController {
  constructor(@Inject(MODERATION_PORT) private readonly moderation: ModerationPort) {}

  @Get('verdict')
  verdict(@Param('hash') hash: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.moderation.verdict(hash), 200, renderVerdict);
  }

  @Post('block')
  block(@Param('hash') hash: string, @Res() reply: FastifyReply): Promise<void> {
    return this.#decide(hash, 'block', reply);
  }

  @Post('unblock')
  unblock(@Param('hash') hash: string, @Res() reply: FastifyReply): Promise<void> {
    return this.#decide(hash, 'unblock', reply);
  }

  @Post('hold')
  hold(@Param('hash') hash: string, @Res() reply: FastifyReply): Promise<void> {
    return this.#decide(hash, 'hold', reply);
  }

  @Post('release')
  release(@Param('hash') hash: string, @Res() reply: FastifyReply): Promise<void> {
    return this.#decide(hash, 'release', reply);
  }

  async #decide(hash: string, decision: ModerationDecision, reply: FastifyReply): Promise<void> {
    await respond(reply, this.moderation.decide(hash, decision), 200, renderVerdict);
  }
}

function renderVerdict({ hash, blocked, held, source, decidedAt }: HashVerdict): string {
  return JSON.stringify({ hash, blocked, held, source, decided_at: decidedAt });
}
