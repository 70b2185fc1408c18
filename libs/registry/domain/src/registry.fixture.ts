import { Story } from '@heddle/testing-decisions';
import { evolveNode } from './evolve-node.js';
import { evolvePublisher } from './evolve-publisher.js';
import { evolveVersion } from './evolve-version.js';
import type { RegistryNodeState } from './node.state.js';
import type { PublisherState } from './publisher.state.js';
import type { NodeEvent, PublisherEvent, VersionEvent, VersionText } from './registry.events.js';
import type { VersionState } from './version.state.js';

type VersionStory = Story<VersionState, VersionEvent>;
type NodeStory = Story<RegistryNodeState, NodeEvent>;
type PublisherStory = Story<PublisherState, PublisherEvent>;

const actor = 'account:a';
const because = { actor, reason: 'why' };
const supports = {
  supported_accelerators: [],
  supported_engine_frontend_version: '',
  supported_engine_version: '',
  supported_os: [],
  tags: [],
};

export const versionText: VersionText = { changelog: '', dependencies: [], ...supports };
export const nodeText = {
  name: 'Pack A',
  author: '',
  category: '',
  description: '',
  icon: '',
  banner_url: '',
  license: '',
  repository: 'https://github.com/acme/pack-a',
  ...supports,
  translations: '{}',
};
export const publication = { actor, node_id: 'pack-a', version: '1.0.0', sha256: '', text: versionText };
export const bytes = { actor, sha256: 'ab'.repeat(32), size_bytes: 9, format: 'zip', blob: 'b' } as const;
export const extraction = { actor, status: 'success', reason: '', class_list: 'c', classes: 1 } as const;

const blocking = {
  issue_type: 'secret',
  severity: 'block',
  file_path: 'a.py',
  line_number: 1,
  code_snippet: '',
  message: '',
};
const scanned = (findings: readonly (typeof blocking)[]): VersionEvent => ({
  type: 'VersionScanned',
  data: { actor: 'heddle', findings },
});
const deleted: VersionEvent = { type: 'VersionDeleted', data: because };
export const VERSION_BLOCKED: VersionEvent = scanned([blocking]);
export const VERSION_CLEAN: VersionEvent = scanned([]);

export const noVersion = new Story<VersionState | null, VersionEvent>(evolveVersion, null);
export const anOpenVersion = noVersion.and({ type: 'VersionPublished', data: { ...publication, upload: 1 } });
export const aWaitingVersion = anOpenVersion.and({ type: 'VersionUploaded', data: bytes });
export const anActiveVersion = aWaitingVersion.and(VERSION_CLEAN);
export const aFlaggedVersion = aWaitingVersion.and(VERSION_BLOCKED);
export const aBannedVersion = anActiveVersion.and({ type: 'VersionReviewed', data: { ...because, status: 'banned' } });
export const aDeletedVersion = anActiveVersion.and(deleted);
export const anExpiredVersion = anOpenVersion.and(deleted);
export const VERSION_STORIES: Readonly<Record<string, VersionStory>> = {
  open: anOpenVersion,
  waiting: aWaitingVersion,
  active: anActiveVersion,
  extracted: anActiveVersion.and({ type: 'VersionExtracted', data: { ...extraction, external: true } }),
  flagged: aFlaggedVersion,
  banned: aBannedVersion,
  deleted: aDeletedVersion,
  expired: anExpiredVersion,
};

const nodeBanned: NodeEvent = { type: 'NodeBanned', data: because };
export const noNode = new Story<RegistryNodeState | null, NodeEvent>(evolveNode, null);
export const anActiveNode = noNode.and({
  type: 'NodeCreated',
  data: { actor, node_id: 'pack-a', publisher_id: 'p1', text: nodeText },
});
export const aBannedNode = anActiveNode.and(nodeBanned);
export const aDeletedNode = anActiveNode.and({ type: 'NodeDeleted', data: { actor } });
export const aReleasedNode = anActiveNode.and({ type: 'NodeReleased', data: { actor } });
export const NODE_STORIES: Readonly<Record<string, NodeStory>> = {
  active: anActiveNode,
  banned: aBannedNode,
  deleted: aDeletedNode,
  released: aReleasedNode,
  'released, banned': aReleasedNode.and(nodeBanned),
};

export const noPublisher = new Story<PublisherState | null, PublisherEvent>(evolvePublisher, null);
export const anActivePublisher = noPublisher.and({
  type: 'PublisherCreated',
  data: { actor, publisher_id: 'p1', account_id: 'a' },
});
export const aBannedPublisher = anActivePublisher.and({ type: 'PublisherBanned', data: because });
export const PUBLISHER_STORIES: Readonly<Record<string, PublisherStory>> = {
  active: anActivePublisher,
  banned: aBannedPublisher,
};
