import { UNCLAIMED } from './node.state.js';
import type { RegistryNodeState } from './node.state.js';
import type { NodeEvent, NodeRanks } from './registry.events.js';

const UNRANKED: NodeRanks = { search_ranking: 0, preempted: [], tags_admin: [] };

/** The state after one more event; the decision that produced the event has already checked it. */
export function evolveNode(
  state: RegistryNodeState | null,
  event: NodeEvent,
  recordedAt: string,
): RegistryNodeState | null {
  if (event.type === 'NodeCreated') {
    const { node_id: nodeId, publisher_id: publisherId, text } = event.data;
    const nothing = { status: 'active', reason: '', ranks: UNRANKED } as const;
    return { streamVersion: 1, nodeId, publisherId, text, ...nothing, createdAt: recordedAt };
  }
  if (state === null) return null;
  const next = { ...state, streamVersion: state.streamVersion + 1 };
  switch (event.type) {
    case 'NodeChanged':
      return { ...next, text: event.data.text ?? state.text, ranks: event.data.ranks ?? state.ranks };
    case 'NodeDeleted':
      return { ...next, status: 'deleted', reason: '' };
    case 'NodeBanned':
      return { ...next, status: 'banned', reason: event.data.reason };
    case 'NodeUnbanned':
      return { ...next, status: 'active', reason: event.data.reason };
    case 'NodeReleased':
      return { ...next, publisherId: UNCLAIMED };
    case 'NodeClaimed':
      return { ...next, publisherId: event.data.publisher_id };
    case 'NodeReported':
      return next;
  }
}
