import { Controller, Get, Query } from '@nestjs/common';
import type { NodePageWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import { SearchNodesHandler } from './search-nodes.handler.js';
import { searchQuery } from './search-query.js';
import type { SearchQuery } from './search-query.js';

@Controller('nodes/search')
export class SearchNodesController {
  constructor(private readonly nodes: SearchNodesHandler) {}

  @Get()
  async handle(@Query(searchQuery) asked: SearchQuery, @OwnAddress() url: string): Promise<NodePageWire> {
    return await this.nodes.handle(asked, url);
  }
}
