import { PROXY_LIMITS, PROXY_ROUTES } from '@heddle/contracts-registry';
import type { RegistryRejection } from '@heddle/contracts-registry';
import { pathPattern } from '@heddle/platform-http';
import { registryForm } from '@heddle/platform-http/registry-form';
import type { FastifyRequest } from 'fastify';

const VIDEO = '/proxy/videovendor/';
const TASK_BODIES = new Set(PROXY_ROUTES.filter(({ hasKey }) => hasKey).map(({ path }) => pathPattern(path)));

/** `{error, message}`, and `{message, details}` below the video vendor. */
export const PROXY_API = registryForm((refusal, code, target) => {
  const { message } = refusal;
  if (!target.startsWith(VIDEO)) return { error: code, message };
  return { message, details: (refusal as RegistryRejection).details?.problems ?? [message] };
});

/** Tasks carry images; every other body is small. */
export function proxyBodyBytes({ method, routeOptions }: FastifyRequest): number {
  const isTask = method === 'POST' && TASK_BODIES.has(routeOptions.url ?? '');
  return isTask ? PROXY_LIMITS.taskBodyBytes : PROXY_LIMITS.bodyBytes;
}
