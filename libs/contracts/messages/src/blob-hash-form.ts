import { BLOB_HASH_PATTERN } from '@heddle/contracts-api-v2';

/** The only spelling of a hash that lookups accept (decisions, Hash on input). */
export const BLOB_HASH = new RegExp(BLOB_HASH_PATTERN);

/** What a field must be that is no `BLOB_HASH`. */
export const BLOB_HASH_RULE = 'must be blake3: and 64 lower-case hex digits';
