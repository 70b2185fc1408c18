import { newestBalanceSql } from '../jobs-schema/credit-tables.js';
import { NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';

export interface SettledTaskRow {
  readonly verdict: 'settled' | 'unknown_task' | 'other_charge' | 'beyond_reserve';
  /** Null: nothing was reserved. */
  readonly reserved: string | null;
  /** What the first settle charged; null: there is none. */
  readonly charged: string | null;
}

/**
 * Settles a task, once: charges what it cost and gives the rest of the reservation back. The balance is locked first, so
 * that two calls see each other's entry.
 */
export const settleTaskSql = `
create or replace function jobs.settle_task(
  account uuid, task uuid, cost bigint, out verdict text, out reserved bigint, out charged bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  balance_now bigint;
begin
  perform from jobs.balance d where d.account_id = account order by d.generation desc limit 1 for no key update;
  select -e.amount into settle_task.reserved
    from jobs.ledger e where e.task_id = task and e.kind = 'reserve' and e.account_id = account;
  if not found then
    verdict := 'unknown_task';
    return;
  end if;
  select e.charged into settle_task.charged from jobs.ledger e where e.task_id = task and e.kind = 'settle';
  if found then
    verdict := case when settle_task.charged = cost then 'settled' else 'other_charge' end;
    return;
  end if;
  if cost > settle_task.reserved then
    verdict := 'beyond_reserve';
    return;
  end if;
  update jobs.balance d set
    balance = d.balance + settle_task.reserved - cost, reserved = d.reserved - settle_task.reserved,
    charged = d.charged + cost, ${NEXT_GENERATION}
    where ${newestBalanceSql('account')} returning d.balance into strict balance_now;
  insert into jobs.ledger (account_id, at, kind, amount, balance, task_id, charged)
    values (account, heddle.clock_now_ms(), 'settle', settle_task.reserved - cost, balance_now, task, cost);
  verdict := 'settled';
  charged := cost;
end $$;
`;

export const settleSql = `select * from jobs.settle_task($1::uuid, $2::uuid, $3::bigint)`;
