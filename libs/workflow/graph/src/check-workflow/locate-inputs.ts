import type { Catalogue } from '../catalogue/catalogue.js';
import { findValueSpans } from '../json/walk-json.js';
import type { ByteSpan } from '../json/json-value.js';
import { readWorkflow } from '../parse-submission/read-workflow.js';
import type { GraphLimits } from './graph-limits.js';
import { validateWorkflow } from './validate-workflow.js';

/** A value in the bytes of a workflow that names an input of the job. */
export interface LocatedInput {
  readonly span: ByteSpan;
  /** The id of a `core/ASSET` object; null where a file name stands. */
  readonly assetId: string | null;
  /** The file name without its ` [input]` annotation; null where a `core/ASSET` object stands. */
  readonly name: string | null;
}

/** The limits were held when the workflow was accepted, whatever they were then. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const ACCEPTED = { maxDepth: 1_000, maxKeys: NO_LIMIT, maxNumberLength: NO_LIMIT, maxCredentialBytes: NO_LIMIT };
const UNBOUNDED: GraphLimits = {
  maxNodes: NO_LIMIT,
  maxLinks: NO_LIMIT,
  maxInputsPerNode: NO_LIMIT,
  maxNodeIdBytes: NO_LIMIT,
  maxStringBytes: NO_LIMIT,
  maxAssetReferences: NO_LIMIT,
};

/**
 * Where the bytes of an accepted workflow name inputs, so that an engine's own file names can take their place
 * (`replaceSpans`). Which names are assets the caller knows; the others are the engine's and stay.
 */
export function locateInputs(bytes: Uint8Array, catalogue: Catalogue): LocatedInput[] {
  const read = readWorkflow(bytes, ACCEPTED);
  if (!read.ok) return [];
  const { assetReferences, namedFiles } = validateWorkflow(read.workflow, catalogue, { ...read, limits: UNBOUNDED });
  const found = [
    ...assetReferences.map(({ path, assetId }) => ({ path, assetId, name: null })),
    ...namedFiles.map(({ path, name }) => ({ path, assetId: null, name })),
  ];
  const spans = findValueSpans(
    bytes,
    found.map(({ path }) => path),
  );
  return found.flatMap(({ assetId, name }, at) => {
    const span = spans[at];
    return span ? [{ span, assetId, name }] : [];
  });
}
