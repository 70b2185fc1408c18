import { Controller, Get, Query } from '@nestjs/common';
import type { NodePageWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import { ListNodesHandler } from './list-nodes.handler.js';
import { nodeListQuery } from './node-page-query.js';
import type { NodeListQuery } from './node-page-query.js';

@Controller('nodes')
export class ListNodesController {
  constructor(private readonly nodes: ListNodesHandler) {}

  @Get()
  async handle(@Query(nodeListQuery) asked: NodeListQuery, @OwnAddress() url: string): Promise<NodePageWire> {
    return await this.nodes.handle(null, asked, url);
  }
}
