import { isUuid, refuse, rejected } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** The only answer for unknown, foreign, expired, deleted and malformed ids (api-v2, Errors: Other rules 1). */
export function notFound(): { readonly ok: false; readonly rejection: Rejection } {
  return rejected(refuse('not_found', { case: 'resource' }));
}

/** The id, or null: text that is not a UUID can only be an unknown id. */
export function idIn<Id extends string>(text: string): Id | null {
  return isUuid(text) ? (text as Id) : null;
}

export type KeyHeader =
  | { readonly ok: true; readonly key: string | null }
  /** Also for two headers: Node joins them with a comma and a space. */
  | { readonly ok: false };

/** decisions, Idempotency-Key: 1 to 255 visible ASCII characters. */
export function idempotencyKeyOf(request: FastifyRequest): KeyHeader {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return { ok: true, key: null };
  if (typeof header === 'string' && VISIBLE_ASCII.test(header)) return { ok: true, key: header };
  return { ok: false };
}
