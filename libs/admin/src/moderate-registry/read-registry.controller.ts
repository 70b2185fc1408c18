import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { ListPart, RegistryAdminPort, RegistryEventView, RegistryQueueEntry } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { AskedPart } from '../read-request/list-part.decorator.js';

/** Parts of lists, oldest first; `next` is the `after` of the next part, null at the end. */
@Controller('admin/v1/registry')
export class ReadRegistryController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Get('queue')
  queue(@AskedPart() part: ListPart, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.queue(part), 200, renderQueue(part.limit));
  }

  @Get('nodes/:node/events')
  events(@Param('node') nodeId: string, @AskedPart() part: ListPart, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.events(nodeId, part), 200, renderEvents(part.limit));
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

const renderEvents = (limit: number) => (events: readonly RegistryEventView[]) =>
  JSON.stringify({ events, next: events.length < limit ? null : String(events.at(-1)!.seq) });
