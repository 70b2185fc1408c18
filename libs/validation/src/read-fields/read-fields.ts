import type { CheckedSubmission } from '@heddle/contracts-messages';
import type { JsonObject } from '@heddle/workflow-graph';
import type { RefusedField, SubmissionFields } from './submission-fields.dto.js';

/** What the fields beside `workflow` of a submission give. */
export interface ReadFields extends Pick<CheckedSubmission, 'metadata' | 'credentials'> {
  readonly ok: true;
}

const FIELD_NAMES = ['webhook_url', 'inputs', 'extra_data', 'metadata'] as const satisfies (keyof SubmissionFields)[];
const NO_LABELS = Object.freeze(Object.create(null) as Record<string, string>);
const NO_FIELDS: ReadFields = { ok: true, metadata: NO_LABELS, credentials: null };

// import() of a module that is loaded costs 5 us, which is more than what is read here.
let dto: Promise<{ readonly SubmissionFields: typeof SubmissionFields }> | undefined;

/**
 * Reads the fields of a submission into their class. The class is loaded with the first submission that has one of them:
 * class-validator costs 20 MiB and a tenth of a second.
 */
export async function readFields(body: JsonObject, maxCredentialBytes: number): Promise<ReadFields | RefusedField> {
  if (!FIELD_NAMES.some((name) => Object.hasOwn(body, name))) return NO_FIELDS;
  const { SubmissionFields: Fields } = await (dto ??= import('./submission-fields.dto.js'));
  const fields = new Fields(body, maxCredentialBytes);
  return fields.refusal() ?? { ok: true, metadata: fields.labels(), credentials: fields.credentials() };
}
