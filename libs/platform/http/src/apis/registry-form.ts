import { REGISTRY_ERRORS, refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryErrorCode, RegistryRejection } from '@heddle/contracts-registry';
import { errorHeaders } from '../refusals/envelope.js';
import { methodsServed } from './http-api.js';
import type { HttpApi } from './http-api.js';
import type { Refusal } from '../refusals/refusal.js';
import { pathOf } from '../requests/target-path.js';

/** Codes of refusals that every HTTP application makes, where the registry has another name for them. */
const RENAMED: Readonly<Record<string, RegistryErrorCode>> = { bad_request: 'invalid_request' };

/** Below the registry's address. */
const VIDEO_VENDOR = '/proxy/videovendor/';

/**
 * The form of the registry and of the partner proxy: `{error, message}`, and `{message, details}` below the video vendor. It
 * belongs to neither of them, because a server refuses what it cannot read before it has loaded them.
 */
export const REGISTRY_API: HttpApi = {
  answer(refusal, target) {
    const code = RENAMED[refusal.code] ?? (refusal.code as RegistryErrorCode);
    const { status, retryAfter } = REGISTRY_ERRORS[code];
    const body = JSON.stringify(bodyOf(refusal, code, target));
    return { status, headers: errorHeaders(refusal, status, retryAfter), body };
  },
  methodsBeside: methodsServed(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
  bodyTooLarge: (limit) => refuseRegistry('payload_too_large', { case: 'json', limit }),
};

function bodyOf(refusal: Refusal, code: RegistryErrorCode, target: string): object {
  const { message } = refusal;
  if (!pathOf(target).startsWith(VIDEO_VENDOR)) return { error: code, message };
  return { message, details: (refusal as RegistryRejection).details?.problems ?? [message] };
}
