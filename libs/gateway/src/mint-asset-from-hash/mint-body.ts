import { rejected } from '@heddle/contracts-messages';
import type { Answer, MintRequest } from '@heddle/contracts-messages';

const MOST_TAGS = 16;

/** The body of from-hash: its form; the rules of hash, path and tags belong to the assets service. */
export function parseMintBody(body: unknown): Answer<MintRequest> {
  const parsed = parseObject(body);
  if (parsed === null) return invalid('body', 'must be a JSON object');
  const { hash, file_path: filePath = null, tags = [], expires_in: expiresIn = null } = parsed;
  if (typeof hash !== 'string') return invalid('hash', 'must be a string "blake3:" and 64 lower-case hex digits');
  if (filePath !== null && typeof filePath !== 'string') return invalid('file_path', 'must be a string');
  if (!Array.isArray(tags) || tags.length > MOST_TAGS || !tags.every((tag) => typeof tag === 'string')) {
    return invalid('tags', `must be an array of at most ${MOST_TAGS} strings`);
  }
  if (expiresIn !== null && !isExpiry(expiresIn)) return invalid('expires_in', 'must be an integer from 60 to 604800');
  return { ok: true, value: { hash, filePath, tags: tags as readonly string[], expiresIn } };
}

function parseObject(body: unknown): Record<string, unknown> | null {
  if (!Buffer.isBuffer(body)) return null;
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function isExpiry(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 60 && value <= 604_800;
}

function invalid(field: string, what: string): Answer<never> {
  return rejected('invalid_request', `${field} ${what}.`, { details: { fields: { [field]: what } } });
}
