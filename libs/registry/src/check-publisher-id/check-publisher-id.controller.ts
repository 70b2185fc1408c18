import { Controller, Get, Query } from '@nestjs/common';
import { CheckPublisherIdHandler } from './check-publisher-id.handler.js';
import type { PublisherIdAvailability } from './check-publisher-id.handler.js';
import { PublisherIdPipe } from './publisher-id.pipe.js';

@Controller('publishers/validate')
export class CheckPublisherIdController {
  constructor(private readonly ids: CheckPublisherIdHandler) {}

  @Get()
  async handle(@Query('username', PublisherIdPipe) id: string): Promise<PublisherIdAvailability> {
    return await this.ids.handle(id);
  }
}
