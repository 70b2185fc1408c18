import { refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryErrorCase, RegistryErrorCode, RegistryRejection } from '@heddle/contracts-registry';
import { RejectionError } from '@heddle/platform-http';

/** A refusal to throw. */
export function refused<Code extends RegistryErrorCode>(
  code: Code,
  what: RegistryErrorCase<Code>,
  extra: Pick<RegistryRejection, 'retryAfterSeconds' | 'details'> = {},
): RejectionError {
  return new RejectionError(refuseRegistry(code, what, extra));
}

/** Every problem of the fields at once. */
export function badFields(problems: readonly string[]): RejectionError {
  return refused('invalid_request', { case: 'task_fields', problems }, { details: { problems } });
}
