import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { isIdempotencyKey } from '@heddle/contracts-api-v2';
import type { FastifyRequest } from 'fastify';
import { refused } from '../refused.js';

/** The Idempotency-Key of a request; null: none was sent. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const given = context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'];
  if (given === undefined) return null;
  if (typeof given === 'string' && isIdempotencyKey(given)) return given;
  throw refused('invalid_request', { case: 'idempotency_key' });
});
