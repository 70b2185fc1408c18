import { Controller, Get, Param } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import { NodeReads } from '../find-nodes/node-reads.js';
import { refused } from '../refused.js';
import { renderPublisher } from '../render-wire/publisher-wire.js';

/** A banned publisher is shown too: its status says so (registry decisions, Direct reads). */
@Controller('publishers/:publisher')
export class ShowPublisherController {
  constructor(private readonly nodes: NodeReads) {}

  @Get()
  async handle(@Param('publisher') id: string): Promise<PublisherWire> {
    const found = await this.nodes.publisher(id);
    if (found === null) throw refused('not_found', { case: 'publisher', id });
    return renderPublisher(found);
  }
}
