import { Body, Controller, Post } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import { JsonBodyPipe } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { CreatePublisherHandler } from './create-publisher.handler.js';
import type { PublisherBody } from './publisher-body.dto.js';

const body = new JsonBodyPipe(async () => (await import('./publisher-body.dto.js')).PublisherBody);

@Controller('publishers')
export class CreatePublisherController {
  constructor(private readonly publishers: CreatePublisherHandler) {}

  @Post()
  async handle(@Body(body) given: PublisherBody, @Caller() caller: RegistryCaller): Promise<PublisherWire> {
    return await this.publishers.handle(caller, given);
  }
}
