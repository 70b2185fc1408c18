import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { DeleteNodeHandler } from './delete-node.handler.js';

@Controller('publishers/:publisher/nodes/:node')
export class DeleteNodeController {
  constructor(private readonly nodes: DeleteNodeHandler) {}

  @Delete()
  @HttpCode(204)
  async handle(
    @Param() { publisher, node: nodeId }: { readonly publisher: string; readonly node: string },
    @Caller() caller: RegistryCaller,
  ): Promise<void> {
    await this.nodes.handle({ publisher, nodeId, caller });
  }
}
