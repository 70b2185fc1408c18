import type { FindingType } from '@heddle/contracts-registry';
import type { PythonSource } from './python-source.js';

/** A place in a text, in UTF-16 code units. */
export interface CodePlace {
  readonly from: number;
  /** Until here the text is hidden in the finding, because it is a secret. */
  readonly hideUntil?: number;
}

/** What the scan looks for in a Python file. Severities are those of the contract. */
export interface CodeRule {
  readonly type: FindingType;
  /** What was found and what to do about it, for the publisher. */
  readonly message: string;
  find(source: PythonSource): Iterable<CodePlace>;
}
