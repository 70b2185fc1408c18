import type { Catalogue } from '../catalogue/catalogue.js';
import { findValueSpans } from '../json/walk-json.js';
import type { ByteSpan } from '../json/json-value.js';
import { readWorkflow } from '../parse-submission/read-workflow.js';
import type { GraphLimits } from './graph-limits.js';
import { validateWorkflow } from './validate-workflow.js';

/** A value in a workflow's bytes that names an input of the job. */
interface LocatedInput {
  readonly span: ByteSpan;
  /** Id of a `core/ASSET` object; null for a file name. */
  readonly assetId: string | null;
  /** File name without its ` [input]` annotation; null for a `core/ASSET` object. */
  readonly name: string | null;
}

/** Limits applied when the workflow was accepted; today's may differ. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const ACCEPTED = { maxDepth: 1_000, maxKeys: NO_LIMIT, maxLists: NO_LIMIT, maxNumberLength: NO_LIMIT };
const UNBOUNDED: GraphLimits = {
  maxNodes: NO_LIMIT,
  maxLinks: NO_LIMIT,
  maxInputsPerNode: NO_LIMIT,
  maxNodeIdBytes: NO_LIMIT,
  maxStringBytes: NO_LIMIT,
  maxAssetReferences: NO_LIMIT,
};

/**
 * Finds the bytes of an accepted workflow that name inputs, so that the engine's own file names can replace them
 * (`replaceSpans`). The caller knows which names are assets; the others are the engine's and stay.
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
