/**
 * Replicas of the jobs service that live, each with the address of its internal port. `beat` grows while it lives; the
 * others judge by that and not by a clock. Losing the last beats in a crash is harmless.
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
