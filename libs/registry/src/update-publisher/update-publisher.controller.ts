import { Body, Controller, Param, Put } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { UpdatePublisherHandler } from './update-publisher.handler.js';

@Controller('publishers/:publisher')
export class UpdatePublisherController {
  constructor(private readonly publishers: UpdatePublisherHandler) {}

  @Put()
  async handle(
    @Param('publisher') publisher: string,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
  ): Promise<PublisherWire> {
    return await this.publishers.handle(publisher, caller, fields);
  }
}
