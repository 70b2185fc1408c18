import { REGISTRY_ERRORS, REGISTRY_LIMITS, refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryErrorCode } from '@heddle/contracts-registry';
import { errorHeaders, methodsServed } from '@heddle/platform-http';
import type { HttpApi, Refusal } from '@heddle/platform-http';

/** Codes of refusals that every HTTP application makes, where the registry has another name for them. */
const RENAMED: Readonly<Record<string, RegistryErrorCode>> = { bad_request: 'invalid_request' };

/** The form of the registry: `{error, message}`, for unknown routes and unreadable requests too. */
export const REGISTRY_API: HttpApi = {
  answer(refusal: Refusal) {
    const code = RENAMED[refusal.code] ?? (refusal.code as RegistryErrorCode);
    const { status, retryAfter } = REGISTRY_ERRORS[code];
    const body = JSON.stringify({ error: code, message: refusal.message });
    return { status, headers: errorHeaders(refusal, status, retryAfter), body };
  },
  methodsBeside: methodsServed(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
  bodyTooLarge: () => refuseRegistry('payload_too_large', { case: 'json', limit: REGISTRY_LIMITS.bodyBytes }),
};
