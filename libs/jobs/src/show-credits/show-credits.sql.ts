export interface BalanceRow {
  readonly balance: string;
  readonly reserved: string;
  readonly granted: string;
  readonly charged: string;
  readonly withdrawn: string;
}

export const balanceSql = `
select balance, reserved, granted, charged, withdrawn from jobs.balance
where account_id = $1 order by generation desc limit 1`;

export const balancesSql = `
select a.id as account_id, b.balance
from unnest($1::uuid[]) as a(id)
cross join lateral (
  select balance from jobs.balance where account_id = a.id order by generation desc limit 1
) b`;
