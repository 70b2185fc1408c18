/** Entries of one part of the check of the balances. */
export const PART_ENTRIES = 20_000;
/** Entries of one part of the check of the log. A job has two. */
export const PART_JOB_ENTRIES = 10_000;
/** Events of such a part. Three events decide the cost of a job that ran once. */
export const PART_EVENTS = 20_000;
/** Entries of one part of the check of tasks. */
export const PART_TASK_ENTRIES = 10_000;

/** The last entry that was read. */
interface LedgerPlace {
  readonly accountId: string;
  readonly entryId: number;
}

/** Both walks are along indexes: a part reads its own rows, whatever is stored. */
export const snapshotSql = `begin transaction isolation level repeatable read read only;
  set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off; set local jit = off`;

/** The next entries, account by account, oldest first. Values are ids and numbers, never text of a client. */
export function entriesSql({ accountId, entryId }: LedgerPlace): string {
  return `select account_id, entry_id, kind, amount, balance, charged from jobs.ledger
    where (account_id, entry_id) > ('${accountId}'::uuid, ${entryId}::bigint)
    order by account_id, entry_id limit ${PART_ENTRIES}`;
}

/** Balances of the accounts from one to another, both included; `to` null: of all that follow. */
export function balancesSql(from: string, to: string | null): string {
  return `select account_id, balance, reserved, granted, charged, withdrawn from jobs.balance
    where account_id >= '${from}'::uuid ${to === null ? '' : `and account_id <= '${to}'::uuid`} order by account_id`;
}

/** The entries of the next jobs. */
export function jobEntriesSql(after: string): string {
  return `select job_id, kind, account_id, entry_id, amount, charged from jobs.ledger
    where job_id > '${after}'::uuid order by job_id, kind limit ${PART_JOB_ENTRIES}`;
}

/** The events of the next jobs, up to one of them, that decide what a job costs. */
export function pricedEventsSql(after: string, last: string | null): string {
  return `select stream_id, type, schema_version, account_id, recorded_at, data from jobs.event
    where stream_id > '${after}'::uuid ${last === null ? '' : `and stream_id <= '${last}'::uuid`}
      and (is_terminal or type in ('JobSubmitted', 'JobLeased', 'LeaseLost', 'JobPurged'))
    order by stream_id, version limit ${PART_EVENTS}`;
}

/** The entries of the next tasks, each with its age in milliseconds. */
export function taskEntriesSql(after: string): string {
  return `select task_id, kind, account_id, entry_id, amount, charged,
      (1000 * extract(epoch from heddle.clock_now_ms() - at))::bigint from jobs.ledger
    where task_id > '${after}'::uuid order by task_id, kind limit ${PART_TASK_ENTRIES}`;
}
