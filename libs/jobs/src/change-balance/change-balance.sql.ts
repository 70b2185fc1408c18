import { newestBalanceSql } from '../jobs-schema/credit-tables.js';
import { NEXT_GENERATION } from '../jobs-schema/lasting-counters.js';

export interface ChangedBalanceRow {
  /** Null: refused, and nothing was written. */
  readonly entry: string | null;
  readonly balance: string;
  readonly reserved: string;
  readonly granted: string;
  readonly charged: string;
  readonly withdrawn: string;
}

/** A grant or a withdrawal with its entry. Refused if it would leave less than nothing, or more than `most` granted. */
export const changeBalanceSql = `
create or replace function jobs.change_balance(
  account uuid, entry_kind text, credits bigint, most bigint, entry_note text,
  out entry bigint, out balance bigint, out reserved bigint, out granted bigint, out charged bigint, out withdrawn bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  if entry_kind = 'grant' then
    insert into jobs.balance (account_id) values (account) on conflict do nothing;
  end if;
  select d.balance, d.reserved, d.granted, d.charged, d.withdrawn
    into change_balance.balance, change_balance.reserved, change_balance.granted, change_balance.charged, change_balance.withdrawn
    from jobs.balance d where d.account_id = account order by d.generation desc limit 1 for no key update;
  if not found then
    select 0, 0, 0, 0, 0 into
      change_balance.balance, change_balance.reserved, change_balance.granted, change_balance.charged, change_balance.withdrawn;
  end if;
  if (entry_kind = 'grant' and change_balance.granted + credits > most)
    or (entry_kind = 'withdraw' and change_balance.balance < credits)
  then
    return;
  end if;
  update jobs.balance d set
    balance = d.balance + case entry_kind when 'grant' then credits else -credits end,
    granted = d.granted + case entry_kind when 'grant' then credits else 0 end,
    withdrawn = d.withdrawn + case entry_kind when 'grant' then 0 else credits end,
    ${NEXT_GENERATION}
    where ${newestBalanceSql('account')}
    returning d.balance, d.reserved, d.granted, d.charged, d.withdrawn into
      change_balance.balance, change_balance.reserved, change_balance.granted, change_balance.charged, change_balance.withdrawn;
  insert into jobs.ledger as l (account_id, at, kind, amount, balance, note)
    values (account, heddle.clock_now_ms(), entry_kind, case entry_kind when 'grant' then credits else -credits end,
            change_balance.balance, entry_note)
    returning l.entry_id into entry;
end $$;
`;

export const changeSql = `select * from jobs.change_balance($1::uuid, $2, $3::bigint, $4::bigint, $5)`;
