import { Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { renderRegistryVerdict } from '../render-verdict/render-verdict.js';

@Controller('admin/v1/registry/nodes/:node/release')
export class ReleaseNodeController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post()
  release(@Param('node') nodeId: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.release(nodeId), 200, renderRegistryVerdict);
  }
}
