import { writeBarrier } from '@heddle/registry-domain';
import type { RegistryNodeState, PublisherState } from '@heddle/registry-domain';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { RejectionError } from '@heddle/platform-http';
import { assertNotBanned, assertPublisherNotBanned, nodeBanned } from '../authorize/ban-refusals.js';
import type { RegistryCaller } from '../authorize/caller.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';

/** Who changes which node of a publisher. */
export interface NodeWrite {
  readonly publisher: string;
  readonly nodeId: string;
  readonly caller: RegistryCaller;
}

/** The publisher of a member's write, as it stays until the end of the transaction. A banned one writes nothing. */
export async function writingPublisher(
  unit: RegistryUnit,
  publisher: string,
  lock: 'share' | 'update' = 'share',
): Promise<Stored<PublisherState>> {
  const stored = await unit.publisher(publisher, lock);
  if (stored === null) throw registryRefusal('not_found', { case: 'publisher', id: publisher });
  assertPublisherNotBanned(stored.state);
  return stored;
}

/** A node of the publisher that may be written, with the locks that a write needs. */
export async function writtenNode(
  unit: RegistryUnit,
  publisher: string,
  nodeId: string,
): Promise<Stored<RegistryNodeState>> {
  await writingPublisher(unit, publisher);
  const node = await unit.node(nodeId);
  if (node === null) throw registryRefusal('not_found', { case: 'node', id: nodeId });
  assertOwn(node.state, publisher);
  return node;
}

/** Banned nodes and nodes of others are refused alike to every token. */
export function assertOwn(node: RegistryNodeState, publisher: string): void {
  const barrier = writeBarrier(node, publisher);
  if (barrier !== null) throw BARRIERS[barrier](node);
}

const BARRIERS: Readonly<
  Record<NonNullable<ReturnType<typeof writeBarrier>>, (node: RegistryNodeState) => RejectionError>
> = {
  of_another: ({ nodeId: id }) => registryRefusal('forbidden', { case: 'node', id }),
  banned: ({ nodeId: id, reason }) => nodeBanned(id, reason),
  deleted: ({ nodeId: id }) => registryRefusal('not_found', { case: 'node', id }),
};

/** A node that everybody may read, locked. A change of a publisher waits for no node, so the order is harmless. */
export async function readableNode(unit: RegistryUnit, nodeId: string): Promise<Stored<RegistryNodeState>> {
  const node = await unit.node(nodeId);
  if (node === null || node.state.status === 'deleted')
    throw registryRefusal('not_found', { case: 'node', id: nodeId });
  const { nodeId: node_id, publisherId: publisher_id, status: node_status } = node.state;
  const publisher = (await unit.publisher(publisher_id, 'share'))!;
  assertNotBanned({ node_id, publisher_id, node_status, publisher_status: publisher.state.status }, '');
  return node;
}
