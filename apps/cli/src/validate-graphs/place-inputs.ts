import { readWorkflow } from '@heddle/workflow-graph';
import type { Catalogue } from '@heddle/workflow-graph';
import { assertKnownInputs } from '../run-workflow/known-inputs.js';
import { inputTarget, setInputs } from '../run-workflow/graph-file.js';
import { reference } from '../run-workflow/resolve-inputs.js';

/** In place of the asset that `heddle run` would create: only its form is checked. */
const ANY_ASSET = '00000000-0000-4000-8000-000000000000';

/** The graph with its inputs set, and what the catalogue cannot check about them. */
interface PlacedInputs {
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

type Given = readonly (readonly [string, string])[];

/**
 * `--input NODE.INPUT=FILE`: the graph as `heddle run` would send it. Bytes that are not a graph are returned
 * unchanged: their verdict describes them.
 */
export async function placeInputs(bytes: Uint8Array, given: Given, catalogue: Catalogue): Promise<PlacedInputs> {
  if (given.length === 0) return { bytes, warnings: [] };
  const read = readWorkflow(bytes);
  if (!read.ok) return { bytes, warnings: [] };
  const targets = given.map(([target]) => target);
  const warnings = await assertKnownInputs(read.workflow, targets, () => Promise.resolve(catalogue));
  const json = reference({ id: ANY_ASSET, hash: null, filePath: null });
  const values = given.map(([target]) => ({ ...inputTarget(read.workflow, target), json }));
  return { bytes: setInputs({ bytes, graph: read.workflow }, values), warnings };
}
