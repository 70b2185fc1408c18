import { closedEnum, dateTime, object, ref } from '@heddle/contracts-api-v2';
import type { JsonSchema } from '@heddle/contracts-api-v2';
import { REGISTRY_LIMITS } from '../limits.js';
import { VERSION_STATUSES, versionStatusWire } from '../node-version.js';

export const text: JsonSchema = { type: 'string' };
export const texts: JsonSchema = { type: 'array', items: text };
export const flag: JsonSchema = { type: 'boolean' };
export const whole: JsonSchema = { type: 'integer', minimum: 0 };
export const listOf = (schema: string): JsonSchema => ({ type: 'array', items: ref(schema) });

const supports = {
  supported_accelerators: texts,
  supported_engine_frontend_version: text,
  supported_engine_version: text,
  supported_os: texts,
  tags: texts,
};
const identifier = object({ node_id: text, version: text });

const wfNode = {
  wf_node_name: text,
  category: text,
  description: text,
  function: text,
  deprecated: flag,
  experimental: flag,
  input_types: { ...text, description: 'JSON text' },
  return_types: { ...text, description: 'JSON text of an array' },
  return_names: { ...text, description: 'JSON text of an array' },
  output_is_list: { type: 'array', items: flag },
  output_node: flag,
  policy: closedEnum(['WfNodePolicyActive', 'WfNodePolicyBanned', 'WfNodePolicyLocalOnly']),
  unknown: { ...texts, description: 'paths of what the source does not tell' },
  node_id: text,
  node_version: text,
} satisfies Record<string, JsonSchema>;

/** Versions and the node classes in them. */
export const VERSION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  NodeVersionStatus: closedEnum(VERSION_STATUSES.map(versionStatusWire)),
  NodeVersion: object({
    id: { ...text, format: 'uuid' },
    node_id: text,
    version: text,
    changelog: text,
    wf_node_extract_status: closedEnum(['pending', 'success', 'failed']),
    wf_node_extract_reason: text,
    createdAt: dateTime,
    dependencies: texts,
    deprecated: flag,
    deprecated_reason: text,
    downloadUrl: { ...text, description: 'empty while the version has no bytes' },
    status: ref('NodeVersionStatus'),
    status_reason: text,
    ...supports,
    tags_admin: texts,
    sha256: text,
    size_bytes: whole,
    signature: { anyOf: [object({ keyid: text, sig: text }), object({})] },
  }),
  BulkQuestion: {
    type: 'object',
    required: ['node_versions'],
    properties: { node_versions: { type: 'array', maxItems: REGISTRY_LIMITS.bulkItems, items: identifier } },
  },
  BulkVersions: object({
    node_versions: {
      type: 'array',
      items: object(
        { identifier, status: closedEnum(['success', 'not_found', 'error']) },
        { error_message: text, node_version: ref('NodeVersion') },
      ),
    },
  }),
  WfNode: object(wfNode),
  WfNodePage: object({ wf_nodes: listOf('WfNode'), total: whole }),
  VersionWfNodePage: object({ wf_nodes: listOf('WfNode'), total: whole, totalNumberOfPages: whole }),
  ChangePage: object({
    changes: { type: 'array', items: object({ seq: whole, type: text, node_id: text, version: text, at: dateTime }) },
    next: whole,
  }),
  KeyList: object({
    keys: { type: 'array', items: object({ keyid: text, public_key: text, since: text, until: text }) },
  }),
  PublishedVersion: object({ node_version: ref('NodeVersion'), signedUrl: { ...text, format: 'uri' } }),
  Publication: {
    type: 'object',
    required: ['node', 'node_version', 'personal_access_token'],
    properties: {
      node: ref('NodeChange'),
      node_version: {
        type: 'object',
        required: ['version'],
        properties: { version: text, changelog: text, dependencies: texts, sha256: text, ...supports },
      },
      personal_access_token: text,
    },
  },
  VersionChange: { type: 'object', properties: { changelog: text, deprecated: flag, deprecated_reason: text } },
};
