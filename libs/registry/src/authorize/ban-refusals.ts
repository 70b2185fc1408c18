import { refused } from '../refused.js';
import type { VersionRecord } from '../render-wire/version-wire.js';

type Standing = Pick<VersionRecord, 'node_id' | 'publisher_id' | 'node_status' | 'publisher_status'>;

/**
 * Throws the refusal of a banned publisher, else that of its banned node: the ban of a publisher is told first everywhere.
 * `reason`: the operator's; "" for whom it does not concern.
 */
export function assertNotBanned(
  { node_id, publisher_id, node_status, publisher_status }: Standing,
  reason: string,
): void {
  if (publisher_status === 'banned') throw refused('publisher_banned', { case: 'publisher', id: publisher_id, reason });
  if (node_status === 'banned') throw refused('node_banned', { case: 'node', id: node_id, reason });
}
