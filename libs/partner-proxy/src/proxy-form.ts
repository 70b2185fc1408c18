import { PROXY_LIMITS, PROXY_ROUTES, REGISTRY_ERRORS, refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryErrorCode, RegistryRejection } from '@heddle/contracts-registry';
import { errorHeaders, methodsServed, pathPattern } from '@heddle/platform-http';
import type { HttpApi, Refusal } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';

/** Codes of refusals that every HTTP application makes, where the registry has another name for them. */
const RENAMED: Readonly<Record<string, RegistryErrorCode>> = { bad_request: 'invalid_request' };
const VIDEO = '/proxy/videovendor/';
const TASK_BODIES = new Set(PROXY_ROUTES.filter(({ hasKey }) => hasKey).map(({ path }) => pathPattern(path)));

/** `{error, message}`, and `{message, details}` below the video vendor: for unknown routes and unreadable requests too. */
export const PROXY_API: HttpApi = {
  answer(refusal: Refusal, target: string) {
    const code = RENAMED[refusal.code] ?? (refusal.code as RegistryErrorCode);
    const { status, retryAfter } = REGISTRY_ERRORS[code];
    const { message } = refusal;
    const problems = (refusal as RegistryRejection).details?.problems ?? [message];
    const body = target.startsWith(VIDEO) ? { message, details: problems } : { error: code, message };
    return { status, headers: errorHeaders(refusal, status, retryAfter), body: JSON.stringify(body) };
  },
  methodsBeside: methodsServed(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
  bodyTooLarge: (limit) => refuseRegistry('payload_too_large', { case: 'json', limit }),
};

/** Tasks carry images; every other body is small. */
export function proxyBodyBytes({ method, routeOptions }: FastifyRequest): number {
  const isTask = method === 'POST' && TASK_BODIES.has(routeOptions.url ?? '');
  return isTask ? PROXY_LIMITS.taskBodyBytes : PROXY_LIMITS.bodyBytes;
}
