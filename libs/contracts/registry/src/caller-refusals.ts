import { isIdempotencyKey } from '@heddle/contracts-api-v2';
import { refuseRegistry } from './registry-errors.js';
import type { RegistryRejection } from './registry-errors.js';

/** What every route of the registry and of the partner proxy answers to a caller, before it reads anything else. */
export const CALLER_REFUSALS = {
  unauthorized: refuseRegistry('unauthorized', { case: 'credential' }),
  invalidToken: refuseRegistry('invalid_token', { case: 'token' }),
  suspended: refuseRegistry('forbidden', { case: 'suspended' }),
} as const;

/** To one more wrong credential: `wrong`, or to wait. */
export function refuseCredential(wrong: RegistryRejection, retryAfterSeconds: number | null): RegistryRejection {
  return retryAfterSeconds === null
    ? wrong
    : refuseRegistry('rate_limited', { case: 'wrong_keys' }, { retryAfterSeconds });
}

const zeroCharacter = refuseRegistry('invalid_request', { case: 'zero_character' });
const noKey = refuseRegistry('invalid_request', { case: 'idempotency_key' });

/**
 * A head that no route can use. No name holds the character zero, and the database takes no text with one. `key`: the header
 * Idempotency-Key; Node joins two of them with a comma and a space, which no key holds.
 */
export function refuseHead(target: string, key: string | readonly string[] | undefined): RegistryRejection | null {
  if (target.includes('%00')) return zeroCharacter;
  return key === undefined || (typeof key === 'string' && isIdempotencyKey(key)) ? null : noKey;
}
