import type { ScanLimits } from '../json/scan-json.js';

/** Limits on the body of POST /jobs; the gateway limits its size. */
export const DEFAULT_SUBMISSION_LIMITS: ScanLimits = {
  maxDepth: 64,
  maxKeys: 200_000,
  maxLists: 200_000,
  maxNumberLength: 64,
};
