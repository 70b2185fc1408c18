import { refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryErrorCase, RegistryErrorCode, RegistryRejection } from '@heddle/contracts-registry';
import { RejectionError } from '@heddle/platform-http';

/** A refusal to throw: out of a transaction it leaves nothing behind. */
export function refused<Code extends RegistryErrorCode>(
  code: Code,
  what: RegistryErrorCase<Code>,
  extra: Pick<RegistryRejection, 'retryAfterSeconds'> = {},
): RejectionError {
  return new RejectionError(refuseRegistry(code, what, extra));
}
