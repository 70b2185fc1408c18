import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort, VersionName } from '@heddle/contracts-messages';
import { respond, respondEmpty } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { adminBody } from '../read-request/admin-body.js';
import type { ClassesBody } from './classes-body.dto.js';
import type { ReviewBody } from './reason-body.dto.js';
import { renderRegistryVerdict } from './render-verdict.js';

const REVIEW_BODY = adminBody(async () => (await import('./reason-body.dto.js')).ReviewBody);
const CLASSES_BODY = adminBody(async () => (await import('./classes-body.dto.js')).ClassesBody);

interface VersionPath {
  readonly node: string;
  readonly version: string;
}

@Controller('admin/v1/registry/nodes/:node/versions/:version')
export class ModerateVersionController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post('review')
  review(@Param() path: VersionPath, @Body(REVIEW_BODY) body: ReviewBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(
      reply,
      this.registry.review(named(path), body.status as string, body.toReason()),
      200,
      renderRegistryVerdict,
    );
  }

  @Post('rescan')
  rescan(@Param() path: VersionPath, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.rescan(named(path)), 200, renderRegistryVerdict);
  }

  /** For an extractor of the operator (registry decisions, External). */
  @Post('wf-nodes')
  setClasses(
    @Param() path: VersionPath,
    @Body(CLASSES_BODY) body: ClassesBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respondEmpty(reply, this.registry.setClasses(named(path), body.toClasses()), 204);
  }
}

function named({ node: nodeId, version }: VersionPath): VersionName {
  return { nodeId, version };
}
