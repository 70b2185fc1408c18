import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { ListPart, RegistryAdminPort, RegistryEventView } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { AskedPart } from '../read-request/list-part.decorator.js';

/** A part of the events of a node, oldest first; `next` is the `after` of the next part, null at the end. */
@Controller('admin/v1/registry/nodes/:node/events')
export class ReadNodeEventsController {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  @Get()
  read(@Param('node') nodeId: string, @AskedPart() part: ListPart, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.registry.events(nodeId, part), 200, renderEvents(part.limit));
  }
}

const renderEvents = (limit: number) => (events: readonly RegistryEventView[]) =>
  JSON.stringify({ events, next: events.length < limit ? null : String(events.at(-1)!.seq) });
