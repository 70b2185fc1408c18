import { isJsonObject, type JsonObject } from '../json/json-value.js';
import { readJson } from '../json/read-json.js';
import type { ScanLimits } from '../json/scan-json.js';
import { jsonKind, readFailure } from './explain-form.js';
import { isUiFormat } from './parse-submission.js';
import { badForm, EDITOR_FORMAT, type SubmissionRejection } from './submission-rejection.js';
import { hintsOf, type TextHints } from './text-hints.js';
import { DEFAULT_SUBMISSION_LIMITS } from './submission-limits.js';

/**
 * A workflow read from a separate document: a file, or the stored bytes of a job. Also the hints of `validateWorkflow`.
 */
interface ReadWorkflow extends TextHints {
  readonly ok: true;
  readonly workflow: JsonObject;
}

/** Workflow, node, inputs, link. */
const LINK_DEPTH = 4;

/** Reads a bare workflow under the rules for a submission's `workflow` field. */
export function readWorkflow(
  bytes: Uint8Array,
  limits: ScanLimits = DEFAULT_SUBMISSION_LIMITS,
): ReadWorkflow | SubmissionRejection {
  const read = readJson(bytes, limits, { linkDepth: LINK_DEPTH });
  if (!read.ok) return badForm(readFailure(read, bytes, limits, 'file'));
  const { value: workflow } = read;
  if (!isJsonObject(workflow)) return badForm({ case: 'not_an_object', source: 'file', found: jsonKind(workflow) });
  if (isUiFormat(workflow)) return EDITOR_FORMAT;
  return { ok: true, workflow, ...hintsOf(bytes, read, []) };
}
