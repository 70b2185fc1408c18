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

/** No name holds the character zero, and the database takes no text with one. */
export function refuseTarget(target: string): RegistryRejection | null {
  return target.includes('%00') ? refuseRegistry('invalid_request', { case: 'zero_character' }) : null;
}
