import type { SchemaMigrations } from '@heddle/platform-database';
import { NONCE_BYTES, TAG_BYTES, WRAPPED_KEY_BYTES } from '../seal-credentials/sealed-credentials.js';

/**
 * Partner credentials of jobs that have not ended, sealed. A row is written with its job's submission and deleted with
 * its terminal event, and never changed.
 */
export const sealedCredentialsTable: SchemaMigrations['migrations'][number] = {
  name: '0021-sealed-credentials',
  up: `
create table jobs.sealed_credentials (
  job_id uuid primary key,
  key_id text not null,
  key_nonce bytea not null,
  wrapped_key bytea not null,
  nonce bytea not null,
  ciphertext bytea not null,
  constraint sealed_credentials_row check (length(key_id) between 1 and 64 and octet_length(key_nonce) = ${NONCE_BYTES}
    and octet_length(wrapped_key) = ${WRAPPED_KEY_BYTES} and octet_length(nonce) = ${NONCE_BYTES} and octet_length(ciphertext) > ${TAG_BYTES})
);
grant select, insert, delete on jobs.sealed_credentials to heddle_jobs;
`,
};
