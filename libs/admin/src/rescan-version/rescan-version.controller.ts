import { Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort, VersionName } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { VersionNamePipe } from '../read-request/version-name.pipe.js';
import { renderRegistryVerdict } from '../render-verdict/render-verdict.js';

@Controller('admin/v1/registry/nodes/:node/versions/:version/rescan')
export class RescanVersionController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post()
  rescan(@Param(VersionNamePipe) name: VersionName, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.rescan(name), 200, renderRegistryVerdict);
  }
}
