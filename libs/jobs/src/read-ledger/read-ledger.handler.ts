import { Inject, Injectable } from '@nestjs/common';
import { MAX_LEDGER_PART } from '@heddle/contracts-messages';
import type { AccountId, JobId, LedgerEntry, LedgerEntryKind, LedgerPart, TaskId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_READS } from '../jobs-connections.js';
import { ledgerSql } from './ledger.sql.js';
import type { LedgerRow } from './ledger.sql.js';

/** The entries of an account, oldest first, part by part. */
@Injectable()
export class ReadLedgerHandler {
  constructor(@Inject(JOBS_READS) private readonly pool: Pool) {}

  async handle(accountId: AccountId, { after, limit }: LedgerPart): Promise<readonly LedgerEntry[]> {
    const values = [accountId, after ?? 0, Math.max(1, Math.min(limit, MAX_LEDGER_PART))];
    const { rows } = await this.pool.query<LedgerRow>({ name: 'ledger', text: ledgerSql, values });
    return rows.map((row) => ({
      entryId: Number(row.entry_id),
      at: row.at.toISOString(),
      kind: row.kind as LedgerEntryKind,
      amount: Number(row.amount),
      balance: Number(row.balance),
      jobId: row.job_id as JobId | null,
      taskId: row.task_id as TaskId | null,
      charged: row.charged === null ? null : Number(row.charged),
      note: row.note,
    }));
  }
}
