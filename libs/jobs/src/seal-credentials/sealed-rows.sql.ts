import { NONCE_BYTES, WRAPPED_KEY_BYTES } from './sealed-credentials.js';

const NONCE_AT = NONCE_BYTES + WRAPPED_KEY_BYTES;
const CIPHERTEXT_AT = NONCE_AT + NONCE_BYTES;

/**
 * Writes the sealed credentials of the jobs that `jobs.submit_jobs` or `jobs.submit_priced_jobs` has just created, in
 * its transaction. `sealed_at` is the index of each one's submission among `verdicts`. From `sealed_starts` on,
 * `sealed_bytes` hold the nonce of the key, the wrapped key, the nonce and the ciphertext.
 */
export const keepSealedSql = `
create or replace function jobs.keep_sealed(
  verdicts text[], sealed_at int[], sealed_jobs uuid[], key_ids text[],
  sealed_starts int[], sealed_lengths int[], sealed_bytes bytea, out kept int)
language plpgsql as $$
begin
  insert into jobs.sealed_credentials (job_id, key_id, key_nonce, wrapped_key, nonce, ciphertext)
    select sealed_jobs[n], key_ids[n], substring(sealed_bytes from at for ${NONCE_BYTES}),
           substring(sealed_bytes from at + ${NONCE_BYTES} for ${WRAPPED_KEY_BYTES}),
           substring(sealed_bytes from at + ${NONCE_AT} for ${NONCE_BYTES}),
           substring(sealed_bytes from at + ${CIPHERTEXT_AT} for sealed_lengths[n] - ${CIPHERTEXT_AT})
    from generate_series(1, cardinality(sealed_jobs)) n, lateral (select sealed_starts[n]) s(at)
    where verdicts[sealed_at[n]] = 'created';
  get diagnostics kept = row_count;
end $$;
`;

/** Deletes the sealed credentials of the jobs that `jobs.commit_changes` has just ended, in its transaction. */
export const deleteSealedSql = `
create or replace function jobs.delete_sealed(ended uuid[], sealed_jobs uuid[], out deleted int)
language plpgsql as $$
begin
  delete from jobs.sealed_credentials s where s.job_id = any(sealed_jobs) and s.job_id = any(ended);
  get diagnostics deleted = row_count;
end $$;
`;

export const findSealedSql = `
select key_id, key_nonce, wrapped_key, nonce, ciphertext from jobs.sealed_credentials where job_id = $1`;

export interface SealedRow {
  readonly key_id: string;
  readonly key_nonce: Buffer;
  readonly wrapped_key: Buffer;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

/** How many rows each key still has: when it has none, it may leave the file. */
export const sealedByKeySql = `
select key_id, count(*)::int as rows from jobs.sealed_credentials group by key_id`;
