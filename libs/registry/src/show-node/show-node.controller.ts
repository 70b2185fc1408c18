import { Controller, Get, Param } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { ShowNodeHandler } from './show-node.handler.js';

@Controller('nodes/:node')
export class ShowNodeController {
  constructor(private readonly nodes: ShowNodeHandler) {}

  @Get()
  async handle(
    @Param('node') nodeId: string,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeWire> {
    return await this.nodes.handle(nodeId, caller, url);
  }
}
