/** What has to be copied: each of so many new accounts gets so many jobs, submitted in turns. */
export interface CopiedLedgers {
  readonly accounts: number;
  /** Of each account, with a reserve and a settle entry each. */
  readonly jobs: number;
}

/** Runs statements as the owner of the database. */
type Query = (sql: string) => Promise<unknown>;

/**
 * Copies the one job of a database, whose account has a grant and which has ended and was settled: its events, row and
 * entries. The copies differ from it by ids alone, so they agree with the log as it does. Ids keep the order of submission,
 * and begin before those of the copied job.
 */
export async function copyLedgers(query: Query, { accounts, jobs }: CopiedLedgers): Promise<void> {
  await query(`create table public.copied as
    select a, gen_random_uuid() as account_id from generate_series(1, ${accounts}) a`);
  await query(`create table public.copied_job as
    select copied.account_id, n, (left(j.id::text, 8) || '-' || lpad(to_hex(n), 4, '0') || '-7' || lpad(to_hex(a % 4096), 3, '0')
      || '-8' || substr(gen_random_uuid()::text, 21))::uuid as id
    from generate_series(1, ${jobs}) n cross join public.copied cross join jobs.job j`);
  await query(`insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
      worker_seq, is_terminal, recorded_at, correlation_id, data)
    select gen_random_uuid(), c.id, e.version, e.type, e.schema_version, c.account_id, e.deployment_id, e.fence,
      e.worker_seq, e.is_terminal, e.recorded_at, e.correlation_id, e.data
    from public.copied_job c cross join jobs.event e order by c.id, e.version`);
  await query(`insert into jobs.job select (json_populate_record(j,
      json_build_object('id', c.id, 'account_id', c.account_id, 'idempotency_key', null))).*
    from public.copied_job c cross join jobs.job j order by c.id`);
  await query(`insert into jobs.ledger (account_id, at, kind, amount, balance, job_id, charged)
    select c.account_id, l.at, l.kind, l.amount,
      l.balance - (greatest(c.n, 1) - 1) * (select charged from jobs.ledger where kind = 'settle'), c.id, l.charged
    from (select account_id, n, id from public.copied_job union all select account_id, 0, null from public.copied) c
    join jobs.ledger l on (l.kind = 'grant') = (c.id is null)
    order by c.n, c.id, c.account_id, l.entry_id`);
  await query(`insert into jobs.balance (account_id, balance, reserved, granted, charged)
    select c.account_id, b.balance - ${jobs - 1} * b.charged, 0, b.granted, ${jobs} * b.charged
    from public.copied c cross join jobs.balance b`);
  for (const table of ['event', 'job', 'ledger', 'balance']) await query(`vacuum analyze jobs.${table}`);
}
