import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/**
 * Prices, balances and the ledger. The ledger is append-only: the service may not change an entry. A balance is held to
 * the sums of its ledger by its constraint, and found by its newest generation, as the counters of the queue
 * (lasting-counters.ts). A log without events may be written in the newest format: no build before it has to read it.
 */
export const creditTables: Step = {
  name: '0020-credits',
  up: `
create table jobs.price (
  deployment_id uuid primary key,
  per_job bigint not null,
  per_second_micros bigint not null,
  constraint price_row check (per_job between 0 and 1000000000 and per_second_micros between 0 and 1000000000000)
);

create table jobs.balance (
  account_id uuid not null,
  balance bigint not null default 0,
  reserved bigint not null default 0,
  granted bigint not null default 0,
  charged bigint not null default 0,
  withdrawn bigint not null default 0,
  updates bigint not null default 0,
  generation bigint not null default 0,
  constraint balance_row check (least(balance, reserved, granted, charged, withdrawn) >= 0
    and balance + reserved + charged + withdrawn = granted)
) with (fillfactor = 50);
create index balance_newest on jobs.balance (account_id, generation desc);
create unique index balance_one on jobs.balance ((uuid_send(account_id)));

create table jobs.ledger (
  account_id uuid not null,
  -- Drawn under the lock of the balance: in an account, the order of the entries.
  entry_id bigint not null generated always as identity,
  at timestamptz(3) not null,
  kind text not null,
  amount bigint not null,
  balance bigint not null,
  job_id uuid,
  charged bigint,
  note text,
  primary key (account_id, entry_id),
  constraint ledger_row check (balance >= 0 and case kind
    when 'grant' then amount > 0 and job_id is null and charged is null
    when 'withdraw' then amount < 0 and job_id is null and charged is null
    when 'reserve' then amount < 0 and job_id is not null and charged is null and note is null
    when 'settle' then amount >= 0 and job_id is not null and charged >= 0 and note is null
    else false end)
);
-- One reserve and at most one settle a job.
create unique index ledger_job on jobs.ledger (job_id, kind) where job_id is not null;

grant select, insert, update, delete on jobs.price, jobs.balance to heddle_jobs;
grant select, insert (account_id, at, kind, amount, balance, job_id, charged, note) on jobs.ledger to heddle_jobs;

update jobs.log_format set floor = 2
  where floor = 1 and not exists (select from jobs.event) and not exists (select from jobs.replica);
`,
};

/** Condition to read or update the balance `d` of an account: walks only the entries of its last generations. */
export function newestBalanceSql(accountId: string): string {
  return `d.account_id = ${accountId} and d.generation >= (
    select latest.generation from jobs.balance latest
    where latest.account_id = ${accountId} order by latest.generation desc limit 1)`;
}
