import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { NODE_PAGE } from '../list-nodes/node-page-query.js';
import { QueryPipe, words } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';

const { searchText } = REGISTRY_LIMITS;
const SEARCH = {
  ...NODE_PAGE,
  search: words(searchText),
  wf_node_search: words(searchText),
  repository_url_search: words(searchText),
};

export type SearchQuery = QueryOf<typeof SEARCH>;
export const searchQuery = new QueryPipe(SEARCH);
