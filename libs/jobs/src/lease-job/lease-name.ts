import { isUuid, MAX_FENCE } from '@heddle/contracts-messages';
import type { LeaseKey } from '@heddle/contracts-messages';

/** True if the key is valid: a worker's input is not trusted. */
export function namesLease({ jobId, fence }: LeaseKey): boolean {
  return isUuid(String(jobId)) && Number.isSafeInteger(fence) && fence > 0 && fence <= MAX_FENCE;
}
