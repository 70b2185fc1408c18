import { REGISTRY_ERRORS, refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryErrorCode } from '@heddle/contracts-registry';
import { errorHeaders } from './envelope.js';
import { methodsServed } from './http-api.js';
import type { HttpApi } from './http-api.js';
import type { Refusal } from './refusal.js';

/** Codes of refusals that every HTTP application makes, where the registry has another name for them. */
const RENAMED: Readonly<Record<string, RegistryErrorCode>> = { bad_request: 'invalid_request' };

/** The body of a refusal. `target`: of the request. */
export type RegistryBody = (refusal: Refusal, code: RegistryErrorCode, target: string) => object;

/** How the registry and the partner proxy refuse: for unknown routes and unreadable requests too. */
export function registryForm(bodyOf: RegistryBody): HttpApi {
  return {
    answer(refusal: Refusal, target: string) {
      const code = RENAMED[refusal.code] ?? (refusal.code as RegistryErrorCode);
      const { status, retryAfter } = REGISTRY_ERRORS[code];
      const body = JSON.stringify(bodyOf(refusal, code, target));
      return { status, headers: errorHeaders(refusal, status, retryAfter), body };
    },
    methodsBeside: methodsServed(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
    bodyTooLarge: (limit) => refuseRegistry('payload_too_large', { case: 'json', limit }),
  };
}
