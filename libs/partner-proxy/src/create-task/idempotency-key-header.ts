import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The Idempotency-Key of a request, whose form ProxyGate has checked; null: none was sent. */
export const IdempotencyKeyHeader = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const given = context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'];
  return typeof given === 'string' ? given : null;
});
