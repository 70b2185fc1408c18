import { repositoryKey } from './node-id.js';
import type { NodeEvent, NodeRanks, NodeText } from './registry.events.js';

/** What the log says of a node. */
export interface RegistryNodeState {
  /** Number of events of its stream. */
  readonly log: number;
  /** In its first spelling. */
  readonly nodeId: string;
  readonly publisherId: string;
  readonly status: 'active' | 'banned' | 'deleted';
  readonly reason: string;
  readonly text: NodeText;
  readonly ranks: NodeRanks;
  readonly createdAt: string;
}

const UNRANKED: NodeRanks = { search_ranking: 0, preempted: [], tags_admin: [] };
/** The publisher of released nodes (registry decisions, Claiming). */
const UNCLAIMED = 'unclaimed';

/** The state after one more event; the decision that produced the event has already checked it. */
export function evolveNode(
  state: RegistryNodeState | null,
  event: NodeEvent,
  recordedAt: string,
): RegistryNodeState | null {
  if (event.type === 'NodeCreated') {
    const { node_id: nodeId, publisher_id: publisherId, text } = event.data;
    const nothing = { status: 'active', reason: '', ranks: UNRANKED } as const;
    return { log: 1, nodeId, publisherId, text, ...nothing, createdAt: recordedAt };
  }
  if (state === null) return null;
  const next = { ...state, log: state.log + 1 };
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

/** No event: the text is so already. */
export function changeText(state: RegistryNodeState, text: NodeText, actor: string): readonly NodeEvent[] {
  const isSame = JSON.stringify(state.text) === JSON.stringify(text);
  return isSame ? [] : [{ type: 'NodeChanged', data: { actor, text, ranks: null } }];
}

export function changeRanks(state: RegistryNodeState, ranks: NodeRanks, actor: string): readonly NodeEvent[] {
  const isSame = JSON.stringify(state.ranks) === JSON.stringify(ranks);
  return isSame ? [] : [{ type: 'NodeChanged', data: { actor, text: null, ranks } }];
}

/** A deleted node stays deleted: its id is never free again. A banned node stays banned. */
export function deleteNode({ status }: RegistryNodeState, actor: string): readonly NodeEvent[] {
  return status === 'active' ? [{ type: 'NodeDeleted', data: { actor } }] : [];
}

/** A deleted node has nothing to withhold, and an unban must not bring it back. */
export function banNode({ status }: RegistryNodeState, actor: string, reason: string): readonly NodeEvent[] {
  return status === 'active' ? [{ type: 'NodeBanned', data: { actor, reason } }] : [];
}

export function unbanNode({ status }: RegistryNodeState, actor: string, reason: string): readonly NodeEvent[] {
  return status === 'banned' ? [{ type: 'NodeUnbanned', data: { actor, reason } }] : [];
}

export function releaseNode({ publisherId, status }: RegistryNodeState, actor: string): readonly NodeEvent[] {
  return publisherId === UNCLAIMED || status === 'deleted' ? [] : [{ type: 'NodeReleased', data: { actor } }];
}

/** Null: it belongs to a publisher, or cannot be claimed as it is. */
export function claimNode(
  { publisherId, status }: RegistryNodeState,
  actor: string,
  publisher: string,
): readonly NodeEvent[] | null {
  const isFree = publisherId === UNCLAIMED && status === 'active';
  return isFree ? [{ type: 'NodeClaimed', data: { actor, publisher_id: publisher } }] : null;
}

export function reportNode(actor: string, reason: string, message: string): NodeEvent {
  return { type: 'NodeReported', data: { actor, reason, message } };
}

/** Deleted nodes keep theirs too: a repository has one node for ever. */
export function repositoryOf({ text }: RegistryNodeState): string | null {
  return repositoryKey(text.repository);
}
