import { refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryRejection } from '@heddle/contracts-registry';
import { isLockTimeout, isPoolExhausted } from '@heddle/platform-database';

/**
 * The refusal of a request that waited for a connection or for a lock as long as it may, and has changed nothing: the same
 * request will succeed once fewer come at once. Null for any other failure.
 */
export function busyRefusal(error: unknown): RegistryRejection | null {
  if (!isPoolExhausted(error) && !isLockTimeout(error)) return null;
  return refuseRegistry('rate_limited', { case: 'registry_busy' }, { retryAfterSeconds: 1 });
}
