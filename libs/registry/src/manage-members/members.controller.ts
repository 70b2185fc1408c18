import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import type { GivenFields } from '../read-request/node-body.dto.js';
import { MembersHandler } from './members.handler.js';

@Controller('publishers/:publisher/members')
export class MembersController {
  constructor(private readonly members: MembersHandler) {}

  @Post()
  async add(
    @Param('publisher') publisher: string,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
  ): Promise<PublisherWire> {
    return await this.members.add(publisher, caller, fields);
  }

  @Delete(':member')
  @HttpCode(204)
  async remove(
    @Param() { publisher, member }: { readonly publisher: string; readonly member: string },
    @Caller() caller: RegistryCaller,
  ): Promise<void> {
    await this.members.remove(publisher, member, caller);
  }
}
