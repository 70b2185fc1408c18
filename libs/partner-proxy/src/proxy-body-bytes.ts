import { PROXY_LIMITS, PROXY_ROUTES } from '@heddle/contracts-registry';
import { pathPattern } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';

const TASK_BODIES = new Set(PROXY_ROUTES.filter(({ hasKey }) => hasKey).map(({ path }) => pathPattern(path)));

/** Tasks carry images; every other body is small. */
export function proxyBodyBytes({ method, routeOptions }: FastifyRequest): number {
  const isTask = method === 'POST' && TASK_BODIES.has(routeOptions.url ?? '');
  return isTask ? PROXY_LIMITS.taskBodyBytes : PROXY_LIMITS.bodyBytes;
}
