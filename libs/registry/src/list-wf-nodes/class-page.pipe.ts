import type { PipeTransform } from '@nestjs/common';
import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { MAX_PAGE, QueryPipe, version as versionParameter, whole, words } from '../read-request/query.pipe.js';
import type { GivenQuery } from '../read-request/query.pipe.js';
import type { ClassFilter } from './class-reads.js';

const { text } = REGISTRY_LIMITS;
const DEFAULT_SIZE = 100;
const query = new QueryPipe({
  page: whole(1, MAX_PAGE, 1),
  pageSize: whole(1, 1_000, null),
  limit: whole(1, 1_000, null),
  node_id: words(text),
  node_version: versionParameter(),
  wf_node_name: words(text),
});

export interface ClassPage {
  readonly filter: ClassFilter;
  /** Counted from 1. */
  readonly page: number;
  readonly size: number;
}

/** Which page of node classes is asked for. Clients send its size as `pageSize` or as `limit`; `pageSize` comes first. */
export class ClassPagePipe implements PipeTransform<GivenQuery, ClassPage> {
  transform(given: GivenQuery): ClassPage {
    const {
      page,
      pageSize,
      limit,
      node_id: nodeId,
      node_version: version,
      wf_node_name: name,
    } = query.transform(given);
    return { filter: { nodeId, version, name }, page, size: pageSize ?? limit ?? DEFAULT_SIZE };
  }
}
