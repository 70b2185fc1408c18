import type { AccountLimits } from './accounts.port.js';
import type { AccountId } from './ids.js';

/** Jobs of an account that have not ended, in all deployments. */
export interface OpenJobsOfAccount {
  readonly waiting: number;
  readonly running: number;
}

/** The limits of an account that the jobs service enforces; null: the setting holds. */
export type AccountJobLimits = Pick<AccountLimits, 'queueDepth' | 'running'>;

/**
 * What the jobs service enforces of the limits of accounts: it keeps them in its own rows. `version` orders the changes
 * of one account; a change that comes late is passed by, so each may be sent again. Implementations pass
 * `test/internal-calls/job-limits-port.suite.ts`.
 */
export interface JobLimitsPort {
  limitAccount(accountId: AccountId, limits: AccountJobLimits, version: number): Promise<void>;
  /** Accounts without open jobs are missing. At most MAX_ASKED_USAGE accounts. */
  openJobsOf(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, OpenJobsOfAccount>>;
}
export const JOB_LIMITS_PORT = Symbol('JobLimitsPort');

export const MAX_ASKED_USAGE = 1_000;
