import { refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryErrorCase, RegistryErrorCode, RegistryRejection } from '@heddle/contracts-registry';
import { RejectionError } from './rejection-error.js';

/** A refusal of the registry or the partner proxy to throw: out of a transaction it leaves nothing behind. */
export function registryRefusal<Code extends RegistryErrorCode>(
  code: Code,
  what: RegistryErrorCase<Code>,
  extra: Pick<RegistryRejection, 'retryAfterSeconds' | 'details'> = {},
): RejectionError {
  return new RejectionError(refuseRegistry(code, what, extra));
}
