import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { adminBody } from '../read-request/admin-body.js';
import { renderRegistryVerdict } from '../render-verdict/render-verdict.js';
import type { RankBody } from './rank-body.dto.js';

const RANK_BODY = adminBody(async () => (await import('./rank-body.dto.js')).RankBody);

@Controller('admin/v1/registry/nodes/:node/set')
export class RankNodeController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post()
  set(@Param('node') nodeId: string, @Body(RANK_BODY) body: RankBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.setRanks(nodeId, body.toChanges()), 200, renderRegistryVerdict);
  }
}
