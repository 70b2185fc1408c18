import { mayHoldAssets } from '../check-workflow/asset-references.js';
import type { JsonPath } from '../json/json-value.js';
import { makeExact, type JsonDocument } from '../json/read-json.js';
import { visitValuesAt } from '../json/walk-json.js';

/** Facts about a workflow's text that its tree does not show; they let `validateWorkflow` skip searches. */
export interface TextHints {
  /** False if the text cannot contain a `core/ASSET` object. */
  readonly mayHoldAssets: boolean;
  /** Length of the longest string token of the document in bytes. */
  readonly longestString: number;
  /** Paths from the workflow's root to slots of links written like `0.0`. */
  readonly fractionalSlots: readonly JsonPath[];
  /** Replaces integers of the tree beyond double precision with bigints. */
  readonly makeExact: () => void;
}

/** Hints for a document that contains the workflow under a path. */
export function hintsOf(bytes: Uint8Array, document: JsonDocument, workflowPath: JsonPath): TextHints {
  const { scan, text } = document;
  const fractionalSlots: JsonPath[] = [];
  visitValuesAt(bytes, scan.fractionsInLinks, (path) => {
    if (workflowPath.every((step, at) => path[at] === step)) fractionalSlots.push(path.slice(workflowPath.length));
  });
  let exact = scan.longIntegers.length === 0;
  return {
    mayHoldAssets: mayHoldAssets(text, scan.hasEscapes),
    longestString: scan.longestString,
    fractionalSlots,
    makeExact: () => {
      if (!exact) makeExact(bytes, document);
      exact = true;
    },
  };
}
