import type { ScanLimits } from '../json/scan-json.js';

/** Bounds on the body of POST /jobs besides its size, which the gateway guards. */
export interface SubmissionLimits extends ScanLimits {
  /** Bytes of UTF-8 in one credential of `extra_data`. */
  readonly maxCredentialBytes: number;
}

export const DEFAULT_SUBMISSION_LIMITS: SubmissionLimits = {
  maxDepth: 64,
  maxKeys: 200_000,
  maxNumberLength: 64,
  maxCredentialBytes: 8_192,
};
