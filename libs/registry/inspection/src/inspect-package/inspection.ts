import type { PackageFinding, WfNode } from '@heddle/contracts-registry';
import type { Extraction } from '../extract/extract-nodes.js';

/** An extraction as the thread of an inspection hands it over: without an object for each of thousands of classes. */
interface ExtractionReport extends Omit<Extraction, 'nodes'> {
  readonly names: readonly string[];
  /** The classes as one JSON array, in the order of `names`. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** An extraction whose classes are only read where somebody asks for them. */
export class InspectedExtraction implements Extraction {
  readonly status: Extraction['status'];
  readonly reason: string;
  readonly names: readonly string[];
  readonly json: Uint8Array;

  constructor({ status, reason, names, json }: ExtractionReport) {
    this.status = status;
    this.reason = reason;
    this.names = names;
    this.json = json;
  }

  static failed(reason: string): InspectedExtraction {
    return new InspectedExtraction({ status: 'failed', reason, names: [], json: new TextEncoder().encode('[]') });
  }

  get nodes(): readonly WfNode[] {
    return JSON.parse(new TextDecoder().decode(this.json)) as WfNode[];
  }
}

/** What the bytes of a package tell: the findings of the scan, and its node classes. */
export interface Inspection {
  readonly findings: readonly PackageFinding[];
  readonly extraction: InspectedExtraction;
}

/** What the thread of an inspection reports: that it begins, then the node classes, then the findings; or that it cannot read the file. */
export type InspectionReport =
  /** The parser is loaded: from here on the time is the package's. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'extracted'; readonly extraction: ExtractionReport }
  /** A thread that is not usable cannot inspect another package. */
  | { readonly kind: 'scanned'; readonly findings: readonly PackageFinding[]; readonly isUsable: boolean }
  /** The contents cannot be inspected, now or later. The thread is not usable. */
  | { readonly kind: 'gave_up' }
  | { readonly kind: 'failed'; readonly message: string };

export interface InspectionTask {
  /** Path of the archive. */
  readonly path: string;
  /** Milliseconds for reading, scan and extraction together. */
  readonly milliseconds: number;
}
