// A publisher publishes versions of a node. These decisions protect its lifecycle: its id is never free again, a deleted node
// does not come back, only the operator lifts a ban, and only a released node changes its publisher.
// Page: docs/architecture/17-registry.md.

import { alreadySo, append, reject } from '@heddle/decision';
import type { Decision } from '@heddle/decision';
import { repositoryKey } from './node-id.js';
import { UNCLAIMED } from './node.state.js';
import type { RegistryNodeState } from './node.state.js';
import type { NodeEvent, NodeRanks, NodeText, RegistryEventData } from './registry.events.js';

/** Each decision names those of them that it returns. */
type NodeRejection = 'not_unclaimed' | 'not_active';

type NodeDecision<Rejection extends NodeRejection = never> = Decision<NodeEvent, Rejection>;

/** The caller has checked that the id is free: the transaction that appends the event holds the id. */
export function createNode(data: RegistryEventData['NodeCreated']): NodeDecision {
  return append({ type: 'NodeCreated', data });
}

export function changeText(state: RegistryNodeState, text: NodeText, actor: string): NodeDecision {
  const isSame = JSON.stringify(state.text) === JSON.stringify(text);
  return isSame ? alreadySo : append({ type: 'NodeChanged', data: { actor, text, ranks: null } });
}

export function changeRanks(state: RegistryNodeState, ranks: NodeRanks, actor: string): NodeDecision {
  const isSame = JSON.stringify(state.ranks) === JSON.stringify(ranks);
  return isSame ? alreadySo : append({ type: 'NodeChanged', data: { actor, text: null, ranks } });
}

export function reportNode(actor: string, reason: string, message: string): NodeDecision {
  return append({ type: 'NodeReported', data: { actor, reason, message } });
}

/** A deleted node has nothing to withhold, and an unban must not bring it back. */
export function banNode({ status }: RegistryNodeState, actor: string, reason: string): NodeDecision {
  return status === 'active' ? append({ type: 'NodeBanned', data: { actor, reason } }) : alreadySo;
}

export function unbanNode({ status }: RegistryNodeState, actor: string, reason: string): NodeDecision {
  return status === 'banned' ? append({ type: 'NodeUnbanned', data: { actor, reason } }) : alreadySo;
}

export function releaseNode({ publisherId, status }: RegistryNodeState, actor: string): NodeDecision {
  const isOver = publisherId === UNCLAIMED || status === 'deleted';
  return isOver ? alreadySo : append({ type: 'NodeReleased', data: { actor } });
}

export function claimNode(
  { publisherId, status }: RegistryNodeState,
  actor: string,
  publisher: string,
): NodeDecision<'not_unclaimed' | 'not_active'> {
  if (publisherId !== UNCLAIMED) return reject('not_unclaimed');
  if (status !== 'active') return reject('not_active');
  return append({ type: 'NodeClaimed', data: { actor, publisher_id: publisher } });
}

/** A deleted node stays deleted, a banned one stays banned. */
export function deleteNode({ status }: RegistryNodeState, actor: string): NodeDecision {
  return status === 'active' ? append({ type: 'NodeDeleted', data: { actor } }) : alreadySo;
}

/** Why members of a publisher cannot write a node; null: they can. */
export function writeBarrier(
  { publisherId, status }: RegistryNodeState,
  publisher: string,
): 'of_another' | 'banned' | 'deleted' | null {
  if (publisherId !== publisher) return 'of_another';
  return status === 'active' ? null : status;
}

/** A deleted node keeps its repository: a repository never gets a second node. */
export function repositoryOf({ text }: RegistryNodeState): string | null {
  return repositoryKey(text.repository);
}
