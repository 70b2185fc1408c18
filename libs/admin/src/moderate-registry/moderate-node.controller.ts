import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { adminBody } from '../read-request/admin-body.js';
import type { RankBody } from './rank-body.dto.js';
import type { ReasonBody } from './reason-body.dto.js';
import { renderRegistryVerdict } from './render-verdict.js';

const REASON_BODY = adminBody(async () => (await import('./reason-body.dto.js')).ReasonBody);
const RANK_BODY = adminBody(async () => (await import('./rank-body.dto.js')).RankBody);

@Controller('admin/v1/registry/nodes/:node')
export class ModerateNodeController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post('ban')
  ban(@Param('node') nodeId: string, @Body(REASON_BODY) body: ReasonBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.ban({ nodeId }, body.toReason()), 200, renderRegistryVerdict);
  }

  @Post('unban')
  unban(@Param('node') nodeId: string, @Body(REASON_BODY) body: ReasonBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.unban({ nodeId }, body.toReason()), 200, renderRegistryVerdict);
  }

  @Post('set')
  set(@Param('node') nodeId: string, @Body(RANK_BODY) body: RankBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.setRanks(nodeId, body.toChanges()), 200, renderRegistryVerdict);
  }

  @Post('release')
  release(@Param('node') nodeId: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.release(nodeId), 200, renderRegistryVerdict);
  }
}
