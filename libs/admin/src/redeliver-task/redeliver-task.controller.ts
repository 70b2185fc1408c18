import { Controller, Inject, Param, Post, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RedeliveredTask, RegistryAdminPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';

@Controller('admin/v1/registry/tasks/:task')
export class RedeliverTaskController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Post('redeliver')
  redeliver(@Param('task') taskId: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.redeliver(taskId), 200, renderRedelivered);
  }
}

/** With the fields of every operator's command on the registry (registry decisions, Commands), of which a task has one. */
const renderRedelivered = ({ taskId, deliveries }: RedeliveredTask): string => {
  const target = { node_id: '', publisher: '', version: '', status: deliveries > 0 ? 'waiting' : '', reason: '' };
  return JSON.stringify({ ...target, task_id: taskId, deliveries });
};
