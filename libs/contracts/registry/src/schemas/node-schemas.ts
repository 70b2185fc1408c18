import { closedEnum, dateTime, object, ref } from '@heddle/contracts-api-v2';
import type { JsonSchema } from '@heddle/contracts-api-v2';
import { TOKEN_LIFE_S } from '../limits.js';
import { TOKEN_ACTIONS } from '../publisher.js';
import { flag, listOf, text, texts, whole } from './version-schemas.js';

const number: JsonSchema = { type: 'number' };
const role = closedEnum(['owner', 'member']);
const profile = { name: text, description: text, logo: text, source_code_repo: text, support: text, website: text };
const nodeText = {
  name: text,
  author: text,
  category: text,
  description: text,
  icon: text,
  banner_url: text,
  license: text,
  repository: text,
  supported_accelerators: texts,
  supported_engine_frontend_version: text,
  supported_engine_version: text,
  supported_os: texts,
  tags: texts,
  translations: { type: 'object' },
} satisfies Record<string, JsonSchema>;
const actions: JsonSchema = { type: 'array', items: closedEnum(TOKEN_ACTIONS) };
const token = {
  id: text,
  name: text,
  description: text,
  nodes: texts,
  actions,
  created_at: dateTime,
  expires_at: dateTime,
};
const member = object({ id: text, role, user: object({ id: text, name: text, email: text }) });

/** Publishers, their tokens and their nodes. */
export const NODE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Publisher: object({
    id: text,
    ...profile,
    createdAt: dateTime,
    status: closedEnum(['PublisherStatusActive', 'PublisherStatusBanned']),
    members: { type: 'array', items: member },
  }),
  PublisherProfile: { type: 'object', properties: profile },
  NewPublisher: { type: 'object', required: ['id', 'name'], properties: { id: text, ...profile } },
  Availability: object({ isAvailable: flag }),
  NewMember: { type: 'object', required: ['account', 'role'], properties: { account: text, role } },
  Token: object({ ...token, prefix: text, last_used_at: { anyOf: [dateTime, closedEnum([''])] } }),
  IssuedToken: object({ ...token, token: text }),
  NewToken: {
    type: 'object',
    required: ['name'],
    properties: {
      name: text,
      description: text,
      expires_in: { type: 'integer', minimum: TOKEN_LIFE_S.min, maximum: TOKEN_LIFE_S.max },
      nodes: texts,
      actions,
    },
  },
  Node: object(
    {
      ...nodeText,
      id: text,
      status: closedEnum(['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned']),
      status_detail: text,
      created_at: dateTime,
      downloads: whole,
      github_stars: whole,
      rating: number,
      search_ranking: number,
      preempted_wf_node_names: texts,
      tags_admin: texts,
      publisher: ref('Publisher'),
    },
    { latest_version: ref('NodeVersion') },
  ),
  NodeChange: { type: 'object', properties: { id: text, ...nodeText } },
  NodePage: object({ nodes: listOf('Node'), total: whole, page: whole, limit: whole, totalPages: whole }),
  NodeReport: {
    type: 'object',
    required: ['reason'],
    properties: { reason: closedEnum(['malware', 'spam', 'impersonation', 'other']), message: text },
  },
  ClaimChallenge: object({ challenge: text, path: text }),
  Message: { type: 'object', properties: { message: text } },
  Nothing: object({}),
};
