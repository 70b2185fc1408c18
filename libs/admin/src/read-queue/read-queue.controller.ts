import { Controller, Get, Inject, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { ListPart, RegistryAdminPort, RegistryQueueEntry } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { AskedPart } from '../read-request/list-part.decorator.js';

/** A part of what waits for the operator, oldest first; `next` is the `after` of the next part, null at the end. */
@Controller('admin/v1/registry/queue')
export class ReadQueueController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Get()
  read(@AskedPart() part: ListPart, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.queue(part), 200, renderQueue(part.limit));
  }
}

const renderQueue = (limit: number) => (entries: readonly RegistryQueueEntry[]) =>
  JSON.stringify({
    entries: entries.map(({ kind, nodeId, version, at, text }) => {
      // No field of an entry is ever null (registry decisions, Present).
      return { kind, node_id: nodeId, version: version ?? '', at, text };
    }),
    next: entries.length < limit ? null : entries.at(-1)!.cursor,
  });
