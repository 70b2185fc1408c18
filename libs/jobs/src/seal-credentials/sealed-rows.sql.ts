/**
 * Writes the sealed credentials of the jobs that `jobs.submit_jobs` or `jobs.submit_priced_jobs` has just created, in
 * its transaction. `sealed_at` is the index of each one's submission among `verdicts`. From `sealed_starts` on,
 * `sealed_bytes` hold the nonce of the key (12), the wrapped key (48), the nonce (12) and the ciphertext.
 */
export const keepSealedSql = `
create or replace function jobs.keep_sealed(
  verdicts text[], sealed_at int[], sealed_jobs uuid[], key_ids text[],
  sealed_starts int[], sealed_lengths int[], sealed_bytes bytea, out kept int)
language plpgsql as $$
begin
  insert into jobs.sealed_credentials (job_id, key_id, key_nonce, wrapped_key, nonce, ciphertext)
    select sealed_jobs[n], key_ids[n], substring(sealed_bytes from at for 12), substring(sealed_bytes from at + 12 for 48),
           substring(sealed_bytes from at + 60 for 12), substring(sealed_bytes from at + 72 for sealed_lengths[n] - 72)
    from generate_series(1, cardinality(sealed_jobs)) n, lateral (select sealed_starts[n]) s(at)
    where verdicts[sealed_at[n]] = 'created';
  get diagnostics kept = row_count;
end $$;
`;

/** Deletes the sealed credentials of the jobs that `jobs.commit_changes` has just ended, in its transaction. */
export const dropSealedSql = `
create or replace function jobs.drop_sealed(ended uuid[], unsealed_jobs uuid[], out dropped int)
language plpgsql as $$
begin
  delete from jobs.sealed_credentials s where s.job_id = any(unsealed_jobs) and s.job_id = any(ended);
  get diagnostics dropped = row_count;
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
