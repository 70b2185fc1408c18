import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Whether a request counts as a download: a HEAD and a client that only looks get no bytes. */
export const CountedDownload = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return method === 'GET' && headers['x-install-dry-run'] === undefined;
});
