import { NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';
import { newestBalanceSql } from '../jobs-schema/credit-tables.js';
import { REVISED } from './revised-submission.sql.js';

/** What a submission with a price adds to the statement of submissions, part by part in its order. */
export interface PricedParts {
  readonly name: string;
  /** The schema version of item `i`. */
  readonly schemaVersion: string;
  readonly inputs: string;
  readonly outputs: string;
  readonly variables: string;
  readonly lockBalances: string;
  readonly refuseStalePrice: string;
  readonly isAffordable: string;
  readonly refuseForCredits: string;
  readonly repeated: string;
  readonly spend: string;
  readonly writeLedger: string;
  /** Column and value of the queue row, in front of which are others. */
  readonly queueColumn: string;
  readonly queueValue: string;
}

/**
 * The caller knows each deployment's price and has put it into the events; an item whose price has changed since is
 * `price_changed`, and its caller plans it again. `prices_at` has the index of each item's price, `balances_at` that of
 * its account's balance, 0 where the job costs nothing. An account without a balance has none. `balances` is what the
 * account had when the item was decided.
 */
export const PRICED: PricedParts = {
  name: 'submit_priced_jobs',
  schemaVersion: 'schema_versions[i]',
  inputs: `schema_versions smallint[], price_deployments uuid[], per_jobs bigint[], per_seconds_micros bigint[], prices_at int[],
  balance_accounts uuid[], balances_at int[], reserves bigint[], ${REVISED.inputs}`,
  outputs: ', out balances bigint[]',
  variables: `
  is_current boolean[];
  funds bigint[];
  fund bigint;${REVISED.variables}`,
  lockBalances: `
  for n in 1 .. cardinality(price_deployments) loop
    is_current[n] := coalesce(
      (select p.per_job = per_jobs[n] and p.per_second_micros = per_seconds_micros[n]
         from jobs.price p where p.deployment_id = price_deployments[n]),
      per_jobs[n] = 0 and per_seconds_micros[n] = 0);
  end loop;
  for n in 1 .. cardinality(balance_accounts) loop
    select d.balance into fund from jobs.balance d where d.account_id = balance_accounts[n]
      order by d.generation desc limit 1 for no key update;
    funds[n] := coalesce(fund, 0);
  end loop;${REVISED.lockIntakes}`,
  refuseStalePrice: `balances[i] := coalesce(funds[balances_at[i]], 0);
    if not is_current[prices_at[i]] then
      verdict := 'price_changed';
    els${REVISED.refuseClosed}`,
  isAffordable: ' and reserves[i] <= balances[i]',
  refuseForCredits: `
    elsif depths[account] < account_room and depths[deployment] < deployment_room then
      verdict := 'insufficient_credits';`,
  repeated: `, 'insufficient_credits', ${REVISED.repeated}`,
  spend: `
      if reserves[i] > 0 then funds[balances_at[i]] := balances[i] - reserves[i]; end if;`,
  writeLedger: `
  if cardinality(balance_accounts) > 0 then
    insert into jobs.ledger (account_id, at, kind, amount, balance, job_id)
      select balance_accounts[balances_at[i]], instant, 'reserve', -reserves[i], balances[i] - reserves[i], job_ids[i]
      from generate_series(1, cardinality(job_ids)) i where verdicts[i] = 'created' and reserves[i] > 0 order by i;
    for n in 1 .. cardinality(balance_accounts) loop
      update jobs.balance d set balance = funds[n], reserved = d.reserved + (d.balance - funds[n]), ${NEXT_GENERATION}
        where ${newestBalanceSql('balance_accounts[n]')} and d.balance <> funds[n];
    end loop;
  end if;`,
  queueColumn: REVISED.queueColumn,
  queueValue: REVISED.queueValue,
};
