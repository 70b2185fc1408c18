import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { instant, MAX_PAGE, oneOf, QueryPipe, whole, words } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';
import { NODE_SORTS } from './list-nodes.sql.js';
import type { NodeSort } from './list-nodes.sql.js';

type SortText = NodeSort | `${NodeSort};desc`;
const SORTS = (Object.keys(NODE_SORTS) as NodeSort[]).flatMap((sort): SortText[] => [sort, `${sort};desc`]);

/** Of every list of nodes. */
export const NODE_PAGE = {
  page: whole(1, MAX_PAGE, 1),
  limit: whole(1, 100, 10),
  supported_os: words(REGISTRY_LIMITS.text),
  supported_accelerator: words(REGISTRY_LIMITS.text),
};

const LIST = { ...NODE_PAGE, sort: oneOf<SortText>(SORTS, 'id'), timestamp: instant() };
export type NodeListQuery = QueryOf<typeof LIST>;
export const nodeListQuery = new QueryPipe(LIST);
