import type { ScanLimits } from '../json/scan-json.js';

/** Limits on the body of POST /jobs; the gateway limits its size. */
export interface SubmissionLimits extends ScanLimits {
  /** UTF-8 bytes of one credential in `extra_data`. */
  readonly maxCredentialBytes: number;
}

export const DEFAULT_SUBMISSION_LIMITS: SubmissionLimits = {
  maxDepth: 64,
  maxKeys: 200_000,
  maxNumberLength: 64,
  maxCredentialBytes: 8_192,
};
