import type { NodeEvent, PublisherEvent, VersionEvent, VersionText } from './registry.events.js';
import { evolveNode } from './node.js';
import type { RegistryNodeState } from './node.js';
import { evolvePublisher } from './publisher.js';
import type { PublisherState } from './publisher.js';
import { evolveVersion } from './version.js';
import type { VersionState } from './version.js';

const AT = '2026-01-01T00:00:00.000Z';
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

const published: VersionEvent = { type: 'VersionPublished', data: { ...publication, upload: 1 } };
const uploaded: VersionEvent = { type: 'VersionUploaded', data: bytes };
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
const reviewed = (status: 'active' | 'banned'): VersionEvent => ({
  type: 'VersionReviewed',
  data: { ...because, status },
});
const deleted: VersionEvent = { type: 'VersionDeleted', data: because };

export const VERSION_STORIES: Readonly<Record<string, readonly VersionEvent[]>> = {
  unpublished: [],
  open: [published],
  waiting: [published, uploaded],
  active: [published, uploaded, scanned([])],
  extracted: [published, uploaded, scanned([]), { type: 'VersionExtracted', data: { ...extraction, external: true } }],
  flagged: [published, uploaded, scanned([blocking])],
  banned: [published, uploaded, scanned([]), reviewed('banned')],
  deleted: [published, uploaded, scanned([]), deleted],
  expired: [published, deleted],
};
export const VERSION_BLOCKED: VersionEvent = scanned([blocking]);
export const VERSION_CLEAN: VersionEvent = scanned([]);

const created: NodeEvent = {
  type: 'NodeCreated',
  data: { actor, node_id: 'pack-a', publisher_id: 'p1', text: nodeText },
};
export const NODE_STORIES: Readonly<Record<string, readonly NodeEvent[]>> = {
  active: [created],
  banned: [created, { type: 'NodeBanned', data: because }],
  deleted: [created, { type: 'NodeDeleted', data: { actor } }],
  released: [created, { type: 'NodeReleased', data: { actor } }],
  'released, banned': [created, { type: 'NodeReleased', data: { actor } }, { type: 'NodeBanned', data: because }],
};

const made: PublisherEvent = { type: 'PublisherCreated', data: { actor, publisher_id: 'p1', account_id: 'a' } };
export const PUBLISHER_STORIES: Readonly<Record<string, readonly PublisherEvent[]>> = {
  active: [made],
  banned: [made, { type: 'PublisherBanned', data: because }],
};

export function versionAfter(...events: readonly VersionEvent[]): VersionState | null {
  return events.reduce<VersionState | null>((state, event) => evolveVersion(state, event, AT), null);
}

export function nodeAfter(...events: readonly NodeEvent[]): RegistryNodeState {
  return events.reduce<RegistryNodeState | null>((state, event) => evolveNode(state, event, AT), null)!;
}

export function publisherAfter(...events: readonly PublisherEvent[]): PublisherState {
  return events.reduce<PublisherState | null>((state, event) => evolvePublisher(state, event, AT), null)!;
}
