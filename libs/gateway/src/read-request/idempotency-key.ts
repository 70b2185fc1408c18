import { isIdempotencyKey } from '@heddle/contracts-api-v2';
import { RejectionError } from '@heddle/platform-http';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Rejection } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';

type KeyHeader =
  | { readonly ok: true; readonly key: string | null }
  /** Also for two headers: Node joins them with a comma and a space. */
  | { readonly ok: false };

/** The key of the header, or null without one. */
export function idempotencyKeyIn(header: string | string[] | undefined): KeyHeader {
  if (header === undefined) return { ok: true, key: null };
  if (typeof header === 'string' && isIdempotencyKey(header)) return { ok: true, key: header };
  return { ok: false };
}

/** The request's idempotency key or null; a header that holds no key is refused as given. */
export const IdempotencyKey = createParamDecorator((refusal: Rejection, context: ExecutionContext): string | null => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const header = idempotencyKeyIn(headers['idempotency-key']);
  if (!header.ok) throw new RejectionError(refusal);
  return header.key;
});
