import { code } from './error-entry.js';

/** Uploads, mints, content and deletion. */
export const ASSET_ERRORS = {
  blob_not_found: code(404, 'no blob the caller may mint from', {
    hash: 'There are no stored bytes with this hash that the account may use. Upload the file instead.',
  }),
  hash_mismatch: code(409, 'expected_hash differs from the hash the server computed', {
    upload: 'The received bytes do not have the hash of expected_hash. Send the file again, or correct the hash.',
  }),
  asset_in_use: code(409, 'the platform still depends on the record', {
    // Never says which hold applies (api-v2, Errors).
    held: 'The asset is in use. Delete it when nothing depends on it any more.',
  }),
  range_not_satisfiable: code(416, 'no byte of the requested range exists', {
    range: ({ size }: { readonly size: number }) =>
      `No byte of the requested range exists: the content has ${size} bytes.`,
  }),
  input_blocked: code(422, 'the bytes are blocked by content moderation', {
    bytes: 'Content moderation has blocked these bytes. They cannot become an asset.',
  }),
} as const;
