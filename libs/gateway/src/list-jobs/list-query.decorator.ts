import { RejectionError } from '@heddle/platform-http';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { JobListQuery } from '@heddle/contracts-messages';
import type { FastifyRequest } from 'fastify';
import { parseListQuery } from './list-query.js';

/** The query of the list, or its refusal. */
export const ListQuery = createParamDecorator((_: unknown, context: ExecutionContext): JobListQuery => {
  const { url } = context.switchToHttp().getRequest<FastifyRequest>().raw;
  const query = parseListQuery(new URLSearchParams(url?.split('?', 2)[1] ?? ''));
  if (!query.ok) throw new RejectionError(query.rejection);
  return query.value;
});
