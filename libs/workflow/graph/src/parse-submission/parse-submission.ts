import { exceedsBytes } from '../check-workflow/graph-limits.js';
import { isJsonObject, ownValue, type ByteSpan, type JsonObject, type JsonValue } from '../json/json-value.js';
import { readJson } from '../json/read-json.js';
import type { ScanReport } from '../json/scan-json.js';
import { hintsOf, type TextHints } from './text-hints.js';
import { readMetadata, type Metadata } from './read-metadata.js';
import { jsonKind, missingWorkflow, readFailure } from './explain-form.js';
import { badForm, EDITOR_FORMAT, type SubmissionRejection } from './submission-rejection.js';
import { DEFAULT_SUBMISSION_LIMITS, type SubmissionLimits } from './submission-limits.js';

/** Credentials of `extra_data` as sent: the caller wraps them at once and keeps them out of logs and events. */
export interface SubmittedCredentials {
  readonly apiKeyPartnerOrg: string | null;
  readonly authTokenPartnerOrg: string | null;
}

/** The parts of the body of POST /jobs. */
export interface ParsedSubmission extends TextHints {
  readonly ok: true;
  /** The workflow's bytes, stored and returned verbatim. */
  readonly workflowSpan: ByteSpan;
  readonly workflow: JsonObject;
  /** Null if no credential was sent. */
  readonly credentials: SubmittedCredentials | null;
  readonly metadata: Metadata;
}

const RESERVED_FIELDS = ['webhook_url', 'inputs'];
const CREDENTIAL_KEYS: ReadonlySet<string> = new Set(['api_key_partner_org', 'auth_token_partner_org']);
/** `"workflow"` without escapes, including quotes. */
const PLAIN_KEY_LENGTH = 10;
/** Body, workflow, node, inputs, link. */
const LINK_DEPTH = 5;

/**
 * Splits the body of POST /jobs and refuses an invalid form. Unknown fields are ignored; reserved ones are refused if
 * present, whatever their value (api-v2, POST /api/v2/jobs rules 1 to 5).
 */
export function parseSubmission(
  bytes: Uint8Array,
  limits: SubmissionLimits = DEFAULT_SUBMISSION_LIMITS,
): ParsedSubmission | SubmissionRejection {
  const read = readJson(bytes, limits, { linkDepth: LINK_DEPTH });
  if (!read.ok) return badForm(readFailure(read, bytes, limits, 'body'));
  const { value: body, scan } = read;
  if (!isJsonObject(body)) return badForm({ case: 'not_an_object', source: 'body', found: jsonKind(body) });
  for (const field of RESERVED_FIELDS) {
    if (Object.hasOwn(body, field)) return badForm({ case: 'reserved_field', field });
  }
  const workflow = ownValue(body, 'workflow');
  if (workflow === undefined) return badForm(missingWorkflow(body, isUiFormat(body)));
  if (!isJsonObject(workflow)) return badForm({ case: 'workflow_not_object' });
  if (isUiFormat(workflow)) return EDITOR_FORMAT;
  const credentials = readCredentials(ownValue(body, 'extra_data'), limits);
  if (credentials !== null && 'ok' in credentials) return credentials;
  const metadata = readMetadata(ownValue(body, 'metadata'));
  if (isRejection(metadata)) return metadata;
  return {
    ok: true,
    workflowSpan: spanOfWorkflow(bytes, scan),
    workflow,
    credentials,
    metadata,
    ...hintsOf(bytes, read, ['workflow']),
  };
}

/** An editor canvas: a list of nodes beside links, which no API graph has at its top. */
export function isUiFormat(workflow: JsonObject): boolean {
  return Array.isArray(ownValue(workflow, 'nodes')) && Object.hasOwn(workflow, 'links');
}

function isRejection(value: Metadata | SubmissionRejection): value is SubmissionRejection {
  return 'ok' in value && (value.ok as unknown) === false;
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

function readCredentials(
  value: JsonValue | undefined,
  limits: SubmissionLimits,
): SubmittedCredentials | SubmissionRejection | null {
  if (value === undefined) return null;
  if (!isJsonObject(value)) return badForm({ case: 'extra_data_not_object' });
  for (const key of Object.keys(value)) {
    if (!CREDENTIAL_KEYS.has(key)) return badForm({ case: 'extra_data_unknown' });
    const credential = ownValue(value, key);
    if (typeof credential !== 'string') return badForm({ case: 'credential_not_text', key });
    if (exceedsBytes(credential, limits.maxCredentialBytes)) {
      return badForm({ case: 'credential_too_long', key, limit: limits.maxCredentialBytes });
    }
  }
  const apiKeyPartnerOrg = credentialOf(value, 'api_key_partner_org');
  const authTokenPartnerOrg = credentialOf(value, 'auth_token_partner_org');
  if (apiKeyPartnerOrg === null && authTokenPartnerOrg === null) return null;
  return { apiKeyPartnerOrg, authTokenPartnerOrg };
}

function credentialOf(extraData: JsonObject, key: string): string | null {
  const value = ownValue(extraData, key);
  return typeof value === 'string' ? value : null;
}
