/** Entries of a page of the list (decisions, List). */
export const PAGE_ENTRIES = { minimum: 1, maximum: 100, default: 50 } as const;
/** Metadata filters of one list. */
export const MAX_METADATA_FILTERS = 3;

const MAX_KEY_LENGTH = 255;
const KEY_FORM = new RegExp(`^[\\x21-\\x7e]{1,${MAX_KEY_LENGTH}}$`);

/** decisions, Idempotency-Key: 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return KEY_FORM.test(text);
}

/** The form of an idempotency key in the API document. */
export const IDEMPOTENCY_KEY_SCHEMA = { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH } as const;

/** Limits on an asset's fields; `libs/assets/domain` refuses by the same ones. */
export const ASSET_LIMITS = { minExpiresIn: 60, maxExpiresIn: 604_800, maxTags: 16 } as const;

/** A blob's public name, as a regular expression. */
export const BLOB_HASH_PATTERN = '^blake3:[0-9a-f]{64}$';
