import { Controller, Get, Query } from '@nestjs/common';
import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { MAX_PAGE, QueryPipe, version as versionParameter, whole, words } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';
import type { ClassFilter } from './class-reads.js';
import { ListWfNodesHandler } from './list-wf-nodes.handler.js';
import type { WfNodePage } from './list-wf-nodes.handler.js';

const { text } = REGISTRY_LIMITS;
const QUERY = {
  page: whole(1, MAX_PAGE, 1),
  pageSize: whole(1, 1_000, null),
  limit: whole(1, 1_000, null),
  node_id: words(text),
  node_version: versionParameter(),
  wf_node_name: words(text),
};
const query = new QueryPipe(QUERY);
const DEFAULT_SIZE = 100;

@Controller('wf-nodes')
export class ListWfNodesController {
  constructor(private readonly classes: ListWfNodesHandler) {}

  @Get()
  async handle(@Query(query) asked: QueryOf<typeof QUERY>): Promise<WfNodePage> {
    return await this.classes.handle(filterOf(asked), asked.page, asked.pageSize ?? asked.limit ?? DEFAULT_SIZE);
  }
}

function filterOf({ node_id: nodeId, node_version: version, wf_node_name: name }: QueryOf<typeof QUERY>): ClassFilter {
  return { nodeId, version, name };
}
