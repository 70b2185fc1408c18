import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { adminBody } from '../read-request/admin-body.js';
import { renderRegistryVerdict } from '../render-verdict/render-verdict.js';
import type { ReasonBody } from './reason-body.dto.js';

const REASON_BODY = adminBody(async () => (await import('./reason-body.dto.js')).ReasonBody);

@Controller('admin/v1/registry/publishers/:publisher')
export class BanPublisherController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post('ban')
  ban(
    @Param('publisher') publisher: string,
    @Body(REASON_BODY) body: ReasonBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.registry.ban({ publisher }, body.toReason()), 200, renderRegistryVerdict);
  }

  @Post('unban')
  unban(
    @Param('publisher') publisher: string,
    @Body(REASON_BODY) body: ReasonBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.registry.unban({ publisher }, body.toReason()), 200, renderRegistryVerdict);
  }
}
