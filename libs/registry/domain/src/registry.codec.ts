import { codecOf, flag, listOf, number, oneOf, orNull, record, text } from '@heddle/event-codec';
import type { NodeRanks, NodeText, RegistryEvent, ScanFinding, VersionText } from './registry.events.js';

const by = { actor: text };
const because = record<{ readonly actor: string; readonly reason: string }>({ ...by, reason: text });
const only = record<{ readonly actor: string }>(by);
const supports = {
  supported_accelerators: listOf(text),
  supported_engine_frontend_version: text,
  supported_engine_version: text,
  supported_os: listOf(text),
  tags: listOf(text),
};
const nodeText = record<NodeText>({
  name: text,
  author: text,
  category: text,
  description: text,
  icon: text,
  banner_url: text,
  license: text,
  repository: text,
  ...supports,
  translations: text,
});
const ranks = record<NodeRanks>({ search_ranking: number, preempted: listOf(text), tags_admin: listOf(text) });
const finding = record<ScanFinding>({
  issue_type: text,
  severity: text,
  file_path: text,
  line_number: number,
  code_snippet: text,
  message: text,
});

/** Schema version 1 of each event. */
const codec = codecOf<RegistryEvent>('registry', {
  PublisherCreated: record({ ...by, publisher_id: text, account_id: text }),
  PublisherBanned: because,
  PublisherUnbanned: because,
  NodeCreated: record({ ...by, node_id: text, publisher_id: text, text: nodeText }),
  NodeChanged: record({ ...by, text: orNull(nodeText), ranks: orNull(ranks) }),
  NodeDeleted: only,
  NodeBanned: because,
  NodeUnbanned: because,
  NodeReleased: only,
  NodeClaimed: record({ ...by, publisher_id: text }),
  NodeReported: record({ ...by, reason: text, message: text }),
  VersionPublished: record({
    ...by,
    node_id: text,
    version: text,
    upload: number,
    sha256: text,
    text: record<VersionText>({ changelog: text, dependencies: listOf(text), ...supports }),
  }),
  VersionUploaded: record({
    ...by,
    sha256: text,
    size_bytes: number,
    format: oneOf('zip', 'tar.gz'),
    blob: text,
  }),
  VersionScanned: record({ ...by, findings: listOf(finding) }),
  VersionExtracted: record({
    ...by,
    status: oneOf('success', 'failed'),
    reason: text,
    class_list: text,
    classes: number,
    external: flag,
  }),
  VersionReviewed: record({ ...by, reason: text, status: oneOf('active', 'flagged', 'banned', 'deleted') }),
  VersionDeprecated: record({ ...by, deprecated: flag, reason: text, changelog: text }),
  VersionDeleted: because,
  ReviewRequested: record({ ...by, message: text }),
});

export const REGISTRY_EVENT_TYPES = codec.types;
export const REGISTRY_EVENT_SCHEMA_VERSION = 1;
export const encodeRegistryEvent = codec.encode;
export const decodeRegistryEvent = codec.decode;
