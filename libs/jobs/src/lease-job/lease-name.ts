import { isUuid } from '@heddle/contracts-messages';
import type { LeaseKey } from '@heddle/contracts-messages';

const MAX_FENCE = 2 ** 31 - 1;

/** Whether a key can name a lease at all: what a worker sends is not taken as it comes. */
export function namesLease({ jobId, fence }: LeaseKey): boolean {
  return isUuid(String(jobId)) && Number.isSafeInteger(fence) && fence > 0 && fence <= MAX_FENCE;
}
