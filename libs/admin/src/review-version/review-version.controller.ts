import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort, VersionName } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { adminBody } from '../read-request/admin-body.js';
import { VersionNamePipe } from '../read-request/version-name.pipe.js';
import { renderRegistryVerdict } from '../render-verdict/render-verdict.js';
import type { ReviewBody } from './review-body.dto.js';

const REVIEW_BODY = adminBody(async () => (await import('./review-body.dto.js')).ReviewBody);

@Controller('admin/v1/registry/nodes/:node/versions/:version/review')
export class ReviewVersionController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post()
  review(
    @Param(VersionNamePipe) name: VersionName,
    @Body(REVIEW_BODY) body: ReviewBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.registry.review(name, body.toStatus(), body.toReason()), 200, renderRegistryVerdict);
  }
}
