/**
 * Live replicas of the jobs service with the addresses of their internal ports. `beat` increases while a replica lives;
 * others judge by that, not by a clock. Losing the last heartbeats in a crash is harmless.
 */
export const replicaTableSql = `
create table jobs.replica (
  id uuid primary key,
  address text not null check (length(address) between 1 and 300),
  beat bigint not null default 1,
  started_at timestamptz(3) not null default heddle.clock_now_ms(),
  seen_at timestamptz(3) not null default heddle.clock_now_ms()
) with (fillfactor = 10);
grant select, insert, update, delete on jobs.replica to heddle_jobs;
`;
