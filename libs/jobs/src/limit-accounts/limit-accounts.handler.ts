import { Inject, Injectable } from '@nestjs/common';
import type { AccountId, AccountJobLimits, JobLimitsPort, OpenJobsOfAccount } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { LeaseDispatcher } from '../lease-job/lease-dispatcher.js';
import { openJobsOfAccountsSql } from './limits.sql.js';
import type { OpenJobsOfAccountRow } from './limits.sql.js';

/** Limits of accounts, as operators set them, and what the accounts use of them. */
@Injectable()
export class LimitAccountsHandler implements JobLimitsPort {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly dispatcher: LeaseDispatcher,
  ) {}

  async limitAccount(accountId: AccountId, { queueDepth, running }: AccountJobLimits, version: number): Promise<void> {
    const values = [accountId, queueDepth, running, version];
    await this.pool.query('select jobs.limit_account($1, $2, $3, $4)', values);
    this.dispatcher.limitsChanged();
  }

  async openJobsOf(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, OpenJobsOfAccount>> {
    if (accountIds.length === 0) return new Map();
    const { rows } = await this.pool.query<OpenJobsOfAccountRow>({
      name: 'jobs.open_jobs_of_accounts',
      text: openJobsOfAccountsSql,
      values: [accountIds],
    });
    return new Map(
      rows.map(({ account_id: id, waiting, running }) => [
        id as AccountId,
        { waiting: Number(waiting), running: Number(running) },
      ]),
    );
  }
}
