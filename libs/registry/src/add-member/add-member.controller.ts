import { Body, Controller, Param, Post } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { AddMemberHandler } from './add-member.handler.js';

@Controller('publishers/:publisher/members')
export class AddMemberController {
  constructor(private readonly members: AddMemberHandler) {}

  @Post()
  async handle(
    @Param('publisher') publisher: string,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
  ): Promise<PublisherWire> {
    return await this.members.handle(publisher, caller, fields);
  }
}
