import { mayHoldAssets } from '../check-workflow/asset-references.js';
import { isJsonObject, type JsonObject, type JsonPath } from '../json/json-value.js';
import { readJson } from '../json/read-json.js';
import { isUiFormat, readFailureMessage, uiFormat, type SubmissionRejection } from './parse-submission.js';
import { DEFAULT_SUBMISSION_LIMITS, type SubmissionLimits } from './submission-limits.js';

/** A workflow read from a document of its own: a file, or the bytes that a job keeps. */
export interface ReadWorkflow {
  readonly ok: true;
  readonly workflow: JsonObject;
  readonly mayHoldAssets: boolean;
  readonly longestString: number;
  readonly fractionalSlots: readonly JsonPath[];
}

/** Workflow, node, inputs, link. */
const LINK_DEPTH = 4;

/** Reads a bare workflow under the rules of a submission's `workflow` field. */
export function readWorkflow(
  bytes: Uint8Array,
  limits: SubmissionLimits = DEFAULT_SUBMISSION_LIMITS,
): ReadWorkflow | SubmissionRejection {
  const read = readJson(bytes, limits, { linkDepth: LINK_DEPTH, insideArrays: false });
  const details = { node_errors: {} };
  if (!read.ok) return { ok: false, code: 'invalid_workflow', message: readFailureMessage(read, limits), details };
  const { value: workflow, scan } = read;
  if (!isJsonObject(workflow)) {
    return { ok: false, code: 'invalid_workflow', message: 'The workflow must be a JSON object.', details };
  }
  if (isUiFormat(workflow)) return uiFormat();
  return {
    ok: true,
    workflow,
    mayHoldAssets: mayHoldAssets(read.text, scan.hasEscapes),
    longestString: scan.longestString,
    fractionalSlots: scan.fractionalSlots,
  };
}
