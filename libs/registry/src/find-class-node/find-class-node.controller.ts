import { Controller, Get, Param } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { FindClassNodeHandler } from './find-class-node.handler.js';

@Controller('wf-nodes/:name/node')
export class FindClassNodeController {
  constructor(private readonly nodes: FindClassNodeHandler) {}

  @Get()
  async handle(
    @Param('name') name: string,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeWire> {
    return await this.nodes.handle(name, caller, url);
  }
}
