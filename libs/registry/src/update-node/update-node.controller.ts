import { Body, Controller, Param, Put } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { ShowNodeHandler } from '../show-node/show-node.handler.js';
import { UpdateNodeHandler } from './update-node.handler.js';

@Controller('publishers/:publisher/nodes/:node')
export class UpdateNodeController {
  constructor(
    private readonly nodes: UpdateNodeHandler,
    private readonly show: ShowNodeHandler,
  ) {}

  @Put()
  async handle(
    @Param() { publisher, node: nodeId }: { readonly publisher: string; readonly node: string },
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeWire> {
    return await this.show.handle(await this.nodes.handle({ publisher, nodeId, caller }, fields), caller, url);
  }
}
