import { mayHoldAssets } from '../check-workflow/asset-references.js';
import type { JsonPath } from '../json/json-value.js';
import { makeExact, type JsonDocument } from '../json/read-json.js';
import { visitValuesAt } from '../json/walk-json.js';

/** What the text of a workflow tells and its tree does not; `validateWorkflow` takes it to look only where it must. */
export interface TextHints {
  /** False where the text cannot hold a `core/ASSET` object. */
  readonly mayHoldAssets: boolean;
  /** Length in bytes of the longest string token of the document. */
  readonly longestString: number;
  /** Paths from the root of the workflow to values such as `0.0` where links have their slot. */
  readonly fractionalSlots: readonly JsonPath[];
  /** Turns the integers of the tree that a double cannot hold into bigints. */
  readonly makeExact: () => void;
}

/** The hints of a document in which the workflow stands under a path. */
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
