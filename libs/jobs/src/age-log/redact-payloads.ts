import type { SchemaFunction } from '@heddle/platform-database';

/**
 * Permanently removes personal data (names, labels, error texts) from the events of purged jobs; the digest of each
 * payload stays, and so does the chain. Runs in the purging transaction: the log's trigger refuses a job whose last
 * event is not `JobPurged`.
 */
export const redactPayloads: SchemaFunction = {
  name: 'forget_payloads',
  sql: `
    create or replace function jobs.forget_payloads(ids uuid[]) returns void
    language sql volatile security definer set search_path = pg_catalog as $$
      update jobs.event e set data_digest = sha256(e.data), data = null
       where e.stream_id = any(ids) and e.data is not null
         and e.type in ('JobSubmitted', 'OutputCommitted', 'JobFailed', 'LeaseLost')
    $$;
    revoke execute on function jobs.forget_payloads(uuid[]) from public;
    grant execute on function jobs.forget_payloads(uuid[]) to heddle_jobs;`,
};
