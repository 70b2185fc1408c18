import { SHOWN_NODES } from '../find-nodes/node-rows.sql.js';

/** What a list of nodes can be sorted by; nodes that are equal there have the order of their ids. */
export const NODE_SORTS = {
  id: 'node_key',
  name: 'lower(name)',
  downloads: 'downloads',
  created_at: 'created_at',
  rating: 'rating',
} as const;
export type NodeSort = keyof typeof NODE_SORTS;

/** Active nodes. $3: of this publisher; $4: changed after; $5, $6: that support it; each null for all. */
export const shownNodesSql = `${SHOWN_NODES}
and ($3::text is null or n.publisher_id = $3) and ($4::timestamptz is null or n.changed_at > $4)
and ($5::text is null or exists (select from json_array_elements_text(n.state -> 'text' -> 'supported_os') s where lower(s) = $5))
and ($6::text is null or exists (
  select from json_array_elements_text(n.state -> 'text' -> 'supported_accelerators') s where lower(s) = $6))`;

export function nodeOrder(sort: NodeSort, isDescending: boolean): string {
  const way = isDescending ? 'desc' : 'asc';
  return sort === 'id' ? `node_key ${way}` : `${NODE_SORTS[sort]} ${way}, node_key`;
}
