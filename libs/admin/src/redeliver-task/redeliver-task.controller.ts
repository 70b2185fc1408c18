import { Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { renderRedelivered } from './render-redelivered.js';

@Controller('admin/v1/registry/tasks/:task')
export class RedeliverTaskController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post('redeliver')
  redeliver(@Param('task') taskId: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.redeliver(taskId), 200, renderRedelivered);
  }
}
