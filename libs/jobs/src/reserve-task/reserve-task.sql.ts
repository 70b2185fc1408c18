import { newestBalanceSql } from '../jobs-schema/credit-tables.js';
import { NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';

export interface ReservedTaskRow {
  readonly verdict: 'reserved' | 'insufficient_credits' | 'other_account' | 'other_amount';
  /** What the task's first call reserved; null: nothing. */
  readonly known: string | null;
  /** The balance before the call. */
  readonly funds: string;
}

/**
 * Reserves the price of a task, once. The balance is locked first, as by a submission. Two calls of one account meet there;
 * of two accounts that name one task, the later one meets the entry of the other in `ledger_task`.
 */
export const reserveTaskSql = `
create or replace function jobs.reserve_task(
  account uuid, task uuid, credits bigint, out verdict text, out known bigint, out funds bigint)
language plpgsql as $$
declare
  holder uuid;
begin
  select d.balance into funds from jobs.balance d where d.account_id = account
    order by d.generation desc limit 1 for no key update;
  funds := coalesce(funds, 0);
  select e.account_id, -e.amount into holder, known from jobs.ledger e where e.task_id = task and e.kind = 'reserve';
  if not found and funds >= credits then
    insert into jobs.ledger (account_id, at, kind, amount, balance, task_id)
      values (account, heddle.clock_now_ms(), 'reserve', -credits, funds - credits, task)
      on conflict (task_id, kind) where task_id is not null do nothing;
    if found then
      update jobs.balance d set balance = d.balance - credits, reserved = d.reserved + credits, ${NEXT_GENERATION}
        where ${newestBalanceSql('account')};
      verdict := 'reserved';
      known := credits;
      return;
    end if;
    select e.account_id, -e.amount into strict holder, known
      from jobs.ledger e where e.task_id = task and e.kind = 'reserve';
  end if;
  verdict := case
    when holder is null then 'insufficient_credits'
    when holder <> account then 'other_account'
    when known <> credits then 'other_amount'
    else 'reserved' end;
end $$;
`;

export const reserveSql = `select * from jobs.reserve_task($1::uuid, $2::uuid, $3::bigint)`;
