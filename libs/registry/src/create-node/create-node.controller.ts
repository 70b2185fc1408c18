import { Body, Controller, Param, Post } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { ShowNodeHandler } from '../show-node/show-node.handler.js';
import { CreateNodeHandler } from './create-node.handler.js';

@Controller('publishers/:publisher/nodes')
export class CreateNodeController {
  constructor(
    private readonly nodes: CreateNodeHandler,
    private readonly show: ShowNodeHandler,
  ) {}

  @Post()
  async handle(
    @Param('publisher') publisher: string,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeWire> {
    return await this.show.handle(await this.nodes.handle(publisher, caller, fields), caller, url);
  }
}
