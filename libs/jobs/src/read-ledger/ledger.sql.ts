export interface LedgerRow {
  readonly entry_id: string;
  readonly at: Date;
  readonly kind: string;
  readonly amount: string;
  readonly balance: string;
  readonly job_id: string | null;
  readonly task_id: string | null;
  readonly charged: string | null;
  readonly note: string | null;
}

export const ledgerSql = `
select entry_id, at, kind, amount, balance, job_id, task_id, charged, note
from jobs.ledger where account_id = $1 and entry_id > $2 order by entry_id limit $3`;
