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
  readonly lockLimits: string;
  /** Whether one more job of item `i` may wait: of its account, and of its deployment. */
  readonly hasRoom: string;
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
  /** How long the job of item `i` is kept, in milliseconds. */
  readonly retention: string;
}

const HAS_ROOM = `depths[account] is not null and totals[limits_at[i]] < account_rooms[limits_at[i]]
      and depths[deployment] < deployment_rooms[prices_at[i]]`;

/**
 * The caller knows each deployment's terms and has put them into the events; an item whose terms have changed since is
 * `terms_changed`, and its caller plans it again. `prices_at` has the index of each item's terms, `balances_at` that of
 * its account's balance, 0 where the job costs nothing. An account without a balance has none. `balances` is what the
 * account had when the item was decided. `limits_at` has the index of each item's account in `limit_accounts`. `totals`
 * count the jobs of an account that wait in all deployments: exact for an account with limits of its own, whose lock
 * orders its submissions; otherwise exact for each deployment.
 */
export const PRICED: PricedParts = {
  name: 'submit_priced_jobs',
  schemaVersion: 'schema_versions[i]',
  inputs: `schema_versions smallint[], price_deployments uuid[], per_jobs bigint[], per_seconds_micros bigint[],
  planned_runtimes_ms bigint[], planned_retentions_ms bigint[], runtime_ms bigint, prices_at int[],
  limit_accounts uuid[], limits_at int[],
  balance_accounts uuid[], balances_at int[], reserves bigint[], ${REVISED.inputs}`,
  outputs: ', out balances bigint[]',
  variables: `
  is_current boolean[];
  funds bigint[];
  fund bigint;
  totals bigint[];
  account_rooms bigint[];
  deployment_rooms bigint[];
  room bigint;
  current_terms boolean;${REVISED.variables}`,
  lockLimits: `
  for n in 1 .. cardinality(limit_accounts) loop
    select l.waiting into room from jobs.account_limit l where l.account_id = limit_accounts[n] for no key update;
    account_rooms[n] := coalesce(room, account_room);
  end loop;`,
  hasRoom: HAS_ROOM,
  lockBalances: `
  for n in 1 .. cardinality(price_deployments) loop
    select coalesce(p.per_job, 0) = per_jobs[n] and coalesce(p.per_second_micros, 0) = per_seconds_micros[n]
           and coalesce(l.max_runtime_ms, runtime_ms) = planned_runtimes_ms[n]
           and coalesce(l.retention_ms, submit_priced_jobs.retention_ms) = planned_retentions_ms[n],
           coalesce(l.waiting, deployment_room)
      into current_terms, room
      from (select) one
      left join jobs.price p on p.deployment_id = price_deployments[n]
      left join jobs.deployment_limit l on l.deployment_id = price_deployments[n];
    is_current[n] := current_terms;
    deployment_rooms[n] := room;
  end loop;
  for n in 1 .. cardinality(limit_accounts) loop
    totals[n] := (jobs.open_jobs_of(limit_accounts[n])).waiting;
  end loop;
  for n in 1 .. cardinality(balance_accounts) loop
    select d.balance into fund from jobs.balance d where d.account_id = balance_accounts[n]
      order by d.generation desc limit 1 for no key update;
    funds[n] := coalesce(fund, 0);
  end loop;${REVISED.lockIntakes}`,
  refuseStalePrice: `balances[i] := coalesce(funds[balances_at[i]], 0);
    if not is_current[prices_at[i]] then
      verdict := 'terms_changed';
    els${REVISED.refuseClosed}`,
  isAffordable: ' and reserves[i] <= balances[i]',
  refuseForCredits: `
    elsif ${HAS_ROOM} then
      verdict := 'insufficient_credits';`,
  repeated: `, 'insufficient_credits', ${REVISED.repeated}`,
  spend: `
      totals[limits_at[i]] := totals[limits_at[i]] + 1;
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
  retention: 'planned_retentions_ms[prices_at[i]]',
};
