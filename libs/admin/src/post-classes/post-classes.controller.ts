import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort, VersionName } from '@heddle/contracts-messages';
import { respondEmpty } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { adminBody } from '../read-request/admin-body.js';
import { VersionNamePipe } from '../read-request/version-name.pipe.js';
import type { ClassesBody } from './classes-body.dto.js';

const CLASSES_BODY = adminBody(async () => (await import('./classes-body.dto.js')).ClassesBody);

/** For an extractor of the operator (registry decisions, External). */
@Controller('admin/v1/registry/nodes/:node/versions/:version/wf-nodes')
export class PostClassesController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post()
  post(
    @Param(VersionNamePipe) name: VersionName,
    @Body(CLASSES_BODY) body: ClassesBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respondEmpty(reply, this.registry.setClasses(name, body.toClasses()), 204);
  }
}
