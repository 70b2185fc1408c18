import { Body, Controller, Delete, HttpCode, Param, Post, Put } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import type { GivenFields } from '../read-request/node-body.dto.js';
import { ShowNodeHandler } from '../show-node/show-node.handler.js';
import { CreateNodeHandler } from './create-node.handler.js';
import { NodesHandler } from './nodes.handler.js';

interface NodePath {
  readonly publisher: string;
  readonly node: string;
}

@Controller('publishers/:publisher/nodes')
export class NodesController {
  constructor(
    private readonly creation: CreateNodeHandler,
    private readonly nodes: NodesHandler,
    private readonly show: ShowNodeHandler,
  ) {}

  @Post()
  async create(
    @Param('publisher') publisher: string,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeWire> {
    return await this.show.handle(await this.creation.handle(publisher, caller, fields), caller, url);
  }

  @Put(':node')
  async update(
    @Param() { publisher, node }: NodePath,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeWire> {
    return await this.show.handle(await this.nodes.update({ publisher, nodeId: node, caller }, fields), caller, url);
  }

  @Delete(':node')
  @HttpCode(204)
  async delete(@Param() { publisher, node: nodeId }: NodePath, @Caller() caller: RegistryCaller): Promise<void> {
    await this.nodes.delete({ publisher, nodeId, caller });
  }
}
