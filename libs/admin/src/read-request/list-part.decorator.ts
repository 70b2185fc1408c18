import { invalidFields, MAX_LIST_PART } from '@heddle/contracts-messages';
import type { ListPart } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const DEFAULT_LIMIT = 100;

export function queryOf({ raw }: Pick<FastifyRequest, 'raw'>): URLSearchParams {
  return new URLSearchParams(raw.url?.split('?', 2)[1] ?? '');
}

/** `after` and `limit` of a list; throws their refusal. */
export function listPartOf(request: Pick<FastifyRequest, 'raw'>): ListPart {
  const query = queryOf(request);
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MAX_LIST_PART) {
    throw new RejectionError(invalidFields({ limit: `must be a whole number from 1 to ${MAX_LIST_PART}` }));
  }
  return { after: query.get('after'), limit: Number(limit) };
}

export const AskedPart = createParamDecorator((_: unknown, context: ExecutionContext): ListPart =>
  listPartOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
