/** Entries of one part of the check. */
export const PART_ENTRIES = 10_000;
/** Jobs of one part of the check of the log. */
export const PART_JOBS = 20_000;

/** The last entry that was read. */
export interface LedgerPlace {
  readonly accountId: string;
  readonly entryId: number;
}

/** The next entries, account by account, oldest first. Values are ids and numbers, never text of a client. */
export function entriesSql({ accountId, entryId }: LedgerPlace): string {
  return `select account_id, entry_id, kind, amount, balance, job_id, charged from jobs.ledger
    where (account_id, entry_id) > ('${accountId}'::uuid, ${entryId}::bigint)
    order by account_id, entry_id limit ${PART_ENTRIES}`;
}

/** Balances of the accounts from one to another, both included; `to` null: of all that follow. */
export function balancesSql(from: string, to: string | null): string {
  return `select account_id, balance, reserved, granted, charged, withdrawn from jobs.balance
    where account_id >= '${from}'::uuid ${to === null ? '' : `and account_id <= '${to}'::uuid`} order by account_id`;
}

/** The events of the jobs of the next entries that decide what a job costs, and whether the job has its settle entry. */
export function pricedEventsSql(place: LedgerPlace): string {
  return `with part as materialized (${entriesSql(place)}),
    jobs as materialized (select distinct job_id as id from part where job_id is not null)
    select e.stream_id, e.type, e.schema_version, e.account_id, e.recorded_at, e.data,
           exists (select from jobs.ledger l where l.job_id = jobs.id and l.kind = 'settle')
    from jobs cross join lateral (
      select * from jobs.event s where s.stream_id = jobs.id
        and (s.is_terminal or s.type in ('JobSubmitted', 'JobLeased', 'LeaseLost', 'JobPurged'))
      order by s.version offset 0
    ) e
    order by e.stream_id, e.version`;
}

/** The last of the next jobs after this one; null: the remaining ones are the last part. */
export const lastOfJobsSql = `select id from jobs.job where id > $1::uuid order by id offset ${PART_JOBS - 1} limit 1`;

/** Submissions with a price or a revision that have no entry, of the jobs after one up to another. */
export function unreservedSql(after: string, last: string | null): string {
  return `select e.stream_id, e.schema_version, e.data
    from (select id from jobs.job where id > '${after}'::uuid ${last === null ? '' : `and id <= '${last}'::uuid`} order by id) j
    cross join lateral (
      select s.stream_id, s.schema_version, s.data from jobs.event s
      where s.stream_id = j.id and s.version = 1 and s.schema_version > 1 offset 0
    ) e
    where e.data is not null and not exists (select from jobs.ledger l where l.job_id = e.stream_id and l.kind = 'reserve')`;
}
