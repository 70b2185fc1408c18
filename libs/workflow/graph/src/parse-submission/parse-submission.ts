import { isJsonObject, ownValue, type ByteSpan, type JsonObject } from '../json/json-value.js';
import { readJson, type JsonDocument } from '../json/read-json.js';
import type { ScanLimits, ScanReport } from '../json/scan-json.js';
import { hintsOf, type TextHints } from './text-hints.js';
import { jsonKind, missingWorkflow, readFailure } from './explain-form.js';
import { badForm, EDITOR_FORMAT, type SubmissionRejection } from './submission-rejection.js';
import { DEFAULT_SUBMISSION_LIMITS } from './submission-limits.js';

/** The body of POST /jobs, split. */
interface ParsedSubmission {
  readonly ok: true;
  /** The fields as they came. `workflow` is still among them: a copy without it would cost time with every key. */
  readonly fields: JsonObject;
  /** The workflow, or why it is refused. Only the caller knows which other fields are refused before it. */
  readonly workflow: SubmittedWorkflow | SubmissionRejection;
}

/** The field `workflow`, with the hints of `validateWorkflow`. */
export interface SubmittedWorkflow extends TextHints {
  readonly ok: true;
  /** The workflow's bytes, stored and returned verbatim. */
  readonly span: ByteSpan;
  readonly graph: JsonObject;
}

/** `"workflow"` without escapes, including quotes. */
const PLAIN_KEY_LENGTH = 10;
/** Body, workflow, node, inputs, link. */
const LINK_DEPTH = 5;

/** Splits the body of POST /jobs into its fields and the bytes of its workflow (api-v2, POST /api/v2/jobs rules 1, 2). */
export function parseSubmission(
  bytes: Uint8Array,
  limits: ScanLimits = DEFAULT_SUBMISSION_LIMITS,
): ParsedSubmission | SubmissionRejection {
  const read = readJson(bytes, limits, { linkDepth: LINK_DEPTH });
  if (!read.ok) return badForm(readFailure(read, bytes, limits, 'body'));
  const fields = read.value;
  if (!isJsonObject(fields)) return badForm({ case: 'not_an_object', source: 'body', found: jsonKind(fields) });
  return { ok: true, fields, workflow: workflowIn(bytes, read, fields) };
}

function workflowIn(
  bytes: Uint8Array,
  document: JsonDocument,
  fields: JsonObject,
): SubmittedWorkflow | SubmissionRejection {
  const graph = ownValue(fields, 'workflow');
  if (graph === undefined) return badForm(missingWorkflow(fields, isUiFormat(fields)));
  if (!isJsonObject(graph)) return badForm({ case: 'workflow_not_object' });
  if (isUiFormat(graph)) return EDITOR_FORMAT;
  return { ok: true, span: spanOfWorkflow(bytes, document.scan), graph, ...hintsOf(bytes, document, ['workflow']) };
}

/** An editor canvas: a list of nodes beside links, which no API graph has at its top. */
export function isUiFormat(workflow: JsonObject): boolean {
  return Array.isArray(ownValue(workflow, 'nodes')) && Object.hasOwn(workflow, 'links');
}

function spanOfWorkflow(bytes: Uint8Array, scan: ScanReport): ByteSpan {
  for (const { key, value } of scan.topLevel) {
    // `workflow` may be spelled with escapes; the parsed body has the key, so exactly one token is it.
    const plain = key.end - key.start === PLAIN_KEY_LENGTH && bytes[key.start + 1] === 0x77;
    if ((plain || scan.hasEscapes) && keyText(bytes, key) === 'workflow') return value;
  }
  throw new Error('The span of the workflow was not found.');
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function keyText(bytes: Uint8Array, key: ByteSpan): string {
  return String(JSON.parse(decoder.decode(bytes.subarray(key.start, key.end))));
}
