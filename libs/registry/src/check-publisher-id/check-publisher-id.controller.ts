import { Controller, Get, Query } from '@nestjs/common';
import { RESERVED_PUBLISHERS } from '@heddle/contracts-registry';
import { NodeReads } from '../find-nodes/node-reads.js';
import { PublisherIdPipe } from './publisher-id.pipe.js';

/** Whether an id can be had. */
@Controller('publishers/validate')
export class CheckPublisherIdController {
  constructor(private readonly nodes: NodeReads) {}

  @Get()
  async handle(@Query('username', PublisherIdPipe) id: string): Promise<{ readonly isAvailable: boolean }> {
    return { isAvailable: !RESERVED_PUBLISHERS.has(id) && (await this.nodes.publisher(id)) === null };
  }
}
