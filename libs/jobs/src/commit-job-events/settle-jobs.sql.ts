import { NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';
import { newestBalanceSql } from '../jobs-schema/credit-tables.js';

/**
 * Settles the jobs that `jobs.commit_changes` has just ended, in its transaction: charges what the domain's terms give at
 * the time of the end (`creditsOf`), and gives the rest of the reservation back. A job that the other function did not
 * commit is passed by. `ledger_job` refuses a second settle. One element per item, ordered by account, because a balance
 * is locked after the counters and in that order.
 */
export const settleJobsSql = `
create or replace function jobs.settle_jobs(
  ended_ms bigint, ended uuid[], settle_jobs uuid[], settle_accounts uuid[], reserves bigint[],
  flats bigint[], rates_micros bigint[], leased_ms bigint[], runtimes_ms bigint[], most_for_seconds bigint[],
  out settled int)
language plpgsql as $$
declare
  cost bigint;
  balance_now bigint;
begin
  settled := 0;
  for i in 1 .. cardinality(settle_jobs) loop
    continue when ended is null or settle_jobs[i] <> all(ended);
    cost := flats[i] + least(most_for_seconds[i],
      ceil(rates_micros[i]::numeric * greatest(0, least(ended_ms - leased_ms[i], runtimes_ms[i])) / 1000000000)::bigint);
    update jobs.balance d set
      balance = d.balance + reserves[i] - cost, reserved = d.reserved - reserves[i], charged = d.charged + cost,
      ${NEXT_GENERATION}
      where ${newestBalanceSql('settle_accounts[i]')} returning d.balance into strict balance_now;
    insert into jobs.ledger (account_id, at, kind, amount, balance, job_id, charged)
      values (settle_accounts[i], to_timestamp(ended_ms / 1000.0), 'settle', reserves[i] - cost, balance_now,
              settle_jobs[i], cost);
    settled := settled + 1;
  end loop;
end $$;
`;
