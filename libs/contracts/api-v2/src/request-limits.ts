/** Entries of a page of the list (decisions, List). */
export const PAGE_ENTRIES = { minimum: 1, maximum: 100, default: 50 } as const;
/** Metadata filters of one list. */
export const MAX_METADATA_FILTERS = 3;

const MAX_KEY_LENGTH = 255;
const KEY_FORM = new RegExp(`^[\\x21-\\x7e]{1,${MAX_KEY_LENGTH}}$`);

/** decisions, Idempotency-Key. */
export const IDEMPOTENCY_KEY_RULE = `1 to ${MAX_KEY_LENGTH} visible ASCII characters`;

/** Whether a text keeps IDEMPOTENCY_KEY_RULE. */
export function isIdempotencyKey(text: string): boolean {
  return KEY_FORM.test(text);
}

/** The form of an idempotency key in the API document. */
export const IDEMPOTENCY_KEY_SCHEMA = { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH } as const;

/** Limits on the labels of a job, its `metadata` (decisions, Labels). Lengths are code points. */
export const LABEL_LIMITS = { maxLabels: 16, maxKeyLength: 64, maxValueLength: 512 } as const;

const LABEL_KEY_FORM = new RegExp(`^[A-Za-z0-9_.-]{1,${LABEL_LIMITS.maxKeyLength}}$`);
/** C0, DEL, C1, and characters that override or isolate text direction. */
const FORBIDDEN_IN_LABEL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The form of a label's key in words, for refusals. */
export const LABEL_KEY_RULE = `1 to ${LABEL_LIMITS.maxKeyLength} characters of A-Z a-z 0-9 _ . -`;

export function isLabelKey(text: string): boolean {
  return LABEL_KEY_FORM.test(text);
}

/** Why a text is not a label's value, or null. Submissions and filters of the list refuse by the same rule. */
export function labelValueProblem(text: string): 'too_long' | 'characters' | null {
  if (isLongerThan(text, LABEL_LIMITS.maxValueLength)) return 'too_long';
  return FORBIDDEN_IN_LABEL.test(text) ? 'characters' : null;
}

/** Counts code points: a surrogate pair is one character. class-validator's MaxLength does not count variation selectors. */
function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && [...text.slice(0, 2 * limit + 2)].length > limit;
}

/** Limits on an asset's fields; `libs/assets/domain` refuses by the same ones. */
export const ASSET_LIMITS = { minExpiresIn: 60, maxExpiresIn: 604_800, maxTags: 16 } as const;

/** A blob's public name, as a regular expression. */
export const BLOB_HASH_PATTERN = '^blake3:[0-9a-f]{64}$';
