import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { RejectionError } from '@heddle/platform-http';
import type { PublisherState } from '@heddle/registry-domain';
import type { VersionRecord } from '../render-wire/version-wire.js';

type BanStatus = Pick<VersionRecord, 'node_id' | 'publisher_id' | 'node_status' | 'publisher_status'>;

/** `reason`: the operator's; "" if the caller must not see it. So in each refusal here. */
export function nodeBanned(id: string, reason: string): RejectionError {
  return registryRefusal('node_banned', { case: 'node', id, reason });
}

export function versionBanned(nodeId: string, version: string, reason: string): RejectionError {
  return registryRefusal('node_banned', { case: 'version', id: `${nodeId}@${version}`, reason });
}

function publisherBanned(id: string, reason: string): RejectionError {
  return registryRefusal('publisher_banned', { case: 'publisher', id, reason });
}

/** For members, who may see the reason. */
export function assertPublisherNotBanned({ publisherId, status, reason }: PublisherState): void {
  if (status === 'banned') throw publisherBanned(publisherId, reason);
}

/** The ban of a publisher goes before the ban of its node. */
export function assertNotBanned(
  { node_id, publisher_id, node_status, publisher_status }: BanStatus,
  reason: string,
): void {
  if (publisher_status === 'banned') throw publisherBanned(publisher_id, reason);
  if (node_status === 'banned') throw nodeBanned(node_id, reason);
}
