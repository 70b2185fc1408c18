import { Controller, Get, Query } from '@nestjs/common';
import { CheckPublisherIdHandler } from './check-publisher-id.handler.js';
import type { PublisherIdAvailability } from './check-publisher-id.handler.js';
import { publisherIdQuery } from './publisher-id-query.js';
import type { PublisherIdQuery } from './publisher-id-query.js';

@Controller('publishers/validate')
export class CheckPublisherIdController {
  constructor(private readonly ids: CheckPublisherIdHandler) {}

  @Get()
  async handle(@Query(publisherIdQuery) { username }: PublisherIdQuery): Promise<PublisherIdAvailability> {
    return await this.ids.handle(username);
  }
}
