import type { PackageFinding } from '@heddle/contracts-registry';
import type { Extraction } from '../extract/extract-nodes.js';

/** What the bytes of a package tell: the findings of the scan, and its node classes. */
export interface Inspection {
  readonly findings: readonly PackageFinding[];
  readonly extraction: Extraction;
}

/** What the thread of an inspection reports: first the node classes, then the findings; or that it cannot read the file. */
export type InspectionReport =
  | { readonly kind: 'extracted'; readonly extraction: Extraction }
  /** A thread that is not usable cannot inspect another package. */
  | { readonly kind: 'scanned'; readonly findings: readonly PackageFinding[]; readonly isUsable: boolean }
  | { readonly kind: 'failed'; readonly message: string };

export interface InspectionTask {
  /** Path of the archive. */
  readonly path: string;
  /** Milliseconds for reading, scan and extraction together. */
  readonly milliseconds: number;
}
