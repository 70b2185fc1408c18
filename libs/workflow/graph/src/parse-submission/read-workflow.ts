import { isJsonObject, type JsonObject } from '../json/json-value.js';
import { readJson } from '../json/read-json.js';
import { isUiFormat, readFailureMessage, uiFormat } from './parse-submission.js';
import type { SubmissionRejection } from './submission-rejection.js';
import { hintsOf, type TextHints } from './text-hints.js';
import { DEFAULT_SUBMISSION_LIMITS, type SubmissionLimits } from './submission-limits.js';

/** A workflow read from a document of its own: a file, or the bytes that a job keeps. Also the hints of `validateWorkflow`. */
export interface ReadWorkflow extends TextHints {
  readonly ok: true;
  readonly workflow: JsonObject;
}

/** Workflow, node, inputs, link. */
const LINK_DEPTH = 4;

/** Reads a bare workflow under the rules of a submission's `workflow` field. */
export function readWorkflow(
  bytes: Uint8Array,
  limits: SubmissionLimits = DEFAULT_SUBMISSION_LIMITS,
): ReadWorkflow | SubmissionRejection {
  const read = readJson(bytes, limits, { linkDepth: LINK_DEPTH });
  const details = { node_errors: {} };
  if (!read.ok) return { ok: false, code: 'invalid_workflow', message: readFailureMessage(read, limits), details };
  const { value: workflow } = read;
  if (!isJsonObject(workflow)) {
    return { ok: false, code: 'invalid_workflow', message: 'The workflow must be a JSON object.', details };
  }
  if (isUiFormat(workflow)) return uiFormat();
  return { ok: true, workflow, ...hintsOf(bytes, read, []) };
}
