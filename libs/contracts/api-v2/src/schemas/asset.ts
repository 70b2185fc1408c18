import type { JsonSchema } from './json-schema.js';
import { dateTime, nullable, object, ref } from './json-schema.js';
import { ASSET_LIMITS, BLOB_HASH_PATTERN } from '../request-limits.js';

/** api-v2, Asset; decisions, Assets (extra fields). `created_new` is present only in create answers. */
export interface AssetWire {
  readonly id: string;
  readonly hash: string | null;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly created_at: string;
  readonly url: string;
  readonly url_expires_at: string | null;
  readonly file_path: string;
  readonly created_new?: boolean;
  readonly expires_at: string | null;
  readonly tags: readonly string[];
  readonly job_id: string | null;
}

const text: JsonSchema = { type: 'string' };

const fields = {
  id: { ...text, format: 'uuid' },
  hash: nullable(ref('Blake3Hash')),
  size_bytes: { type: 'integer', minimum: 0 },
  content_type: text,
  created_at: dateTime,
  url: { ...text, format: 'uri', description: 'where the content is; fresh in every answer' },
  url_expires_at: nullable(dateTime),
  file_path: text,
  expires_at: nullable({ ...dateTime, description: 'null: never' }),
  tags: { type: 'array', items: text },
  job_id: nullable({ ...text, format: 'uuid' }),
} satisfies Record<string, JsonSchema>;

const { minExpiresIn, maxExpiresIn, maxTags } = ASSET_LIMITS;
const expiresIn: JsonSchema = {
  type: 'integer',
  minimum: minExpiresIn,
  maximum: maxExpiresIn,
  description: 'seconds',
};

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Blake3Hash: { type: 'string', pattern: BLOB_HASH_PATTERN },
  Asset: object(fields),
  MintedAsset: object({
    ...fields,
    created_new: { type: 'boolean', description: 'true: bytes that the account did not have before' },
  }),
  MintRequest: {
    type: 'object',
    required: ['hash'],
    properties: {
      hash: ref('Blake3Hash'),
      file_path: text,
      tags: { type: 'array', items: text, maxItems: maxTags },
      expires_in: expiresIn,
    },
  },
};

export function assetSchemas(uploadBytes: number): Readonly<Record<string, JsonSchema>> {
  return {
    ...SCHEMAS,
    AssetUpload: {
      type: 'object',
      required: ['file', 'content_type', 'file_path'],
      properties: {
        file: { type: 'string', format: 'binary', description: `at most ${uploadBytes.toLocaleString('en-US')} bytes` },
        content_type: text,
        file_path: { ...text, description: 'relative, /-separated, NFC, 1 to 1024 bytes' },
        expected_hash: { ...text, description: 'compared with the hash that the server computes' },
        tags: { type: 'array', items: text, maxItems: maxTags, description: 'one part a tag' },
        expires_in: expiresIn,
      },
    },
  };
}
