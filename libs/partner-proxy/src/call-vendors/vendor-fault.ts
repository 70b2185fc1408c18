import { refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryRejection } from '@heddle/contracts-registry';
import type { VendorName } from '@heddle/partner-proxy-domain';
import { RejectionError } from '@heddle/platform-http';

/**
 * Why a call of a vendor gave nothing. `refused`: it does not take the input. `account`: our key or our balance there. `busy`:
 * 429. `unknown`: it has no such task. `unreachable`: nothing was sent. `unanswered`: the bytes were sent, and no answer came.
 * `unusable`: an answer of another form, 5xx, a redirect. `resting`: the breaker is open, nothing was sent.
 */
export type VendorFaultKind =
  'refused' | 'account' | 'busy' | 'unknown' | 'unreachable' | 'unanswered' | 'unusable' | 'resting' | 'unset';

/** A refusal of the client too, in Heddle's words: the vendor's own are not kept, so that no answer and no log repeats them. */
export class VendorFaultError extends RejectionError {
  override readonly name = 'VendorFaultError';

  constructor(
    vendor: VendorName,
    readonly kind: VendorFaultKind,
    retryAfterSeconds?: number,
  ) {
    super(refusalOf(vendor, kind, retryAfterSeconds === undefined ? {} : { retryAfterSeconds }));
  }
}

function refusalOf(
  vendor: VendorName,
  kind: VendorFaultKind,
  wait: Pick<RegistryRejection, 'retryAfterSeconds'>,
): RegistryRejection {
  switch (kind) {
    case 'refused':
      return refuseRegistry('invalid_request', { case: 'vendor_refused', vendor });
    case 'account':
      return refuseRegistry('vendor_error', { case: 'account', vendor });
    case 'busy':
      return refuseRegistry('rate_limited', { case: 'vendor', vendor }, wait);
    case 'unanswered':
      return refuseRegistry('vendor_timeout', { case: 'late', vendor });
    case 'resting':
      return refuseRegistry('vendor_unavailable', { case: 'breaker', vendor }, wait);
    case 'unset':
      return refuseRegistry('vendor_not_configured', { case: 'unset', vendor });
    case 'unknown':
    case 'unreachable':
    case 'unusable':
      return refuseRegistry('vendor_error', { case: 'failed', vendor });
  }
}
