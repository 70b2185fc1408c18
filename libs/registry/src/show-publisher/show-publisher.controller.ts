import { Controller, Get, Param } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import { ShowPublisherHandler } from './show-publisher.handler.js';

@Controller('publishers/:publisher')
export class ShowPublisherController {
  constructor(private readonly publishers: ShowPublisherHandler) {}

  @Get()
  async handle(@Param('publisher') id: string): Promise<PublisherWire> {
    return await this.publishers.handle(id);
  }
}
