import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { RejectionError } from '@heddle/platform-http';

/** Every problem of the fields at once. */
export function badFields(problems: readonly string[]): RejectionError {
  return registryRefusal('invalid_request', { case: 'task_fields', problems }, { details: { problems } });
}
