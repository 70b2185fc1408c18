import { Inject, Injectable, Optional } from '@nestjs/common';
import { CREDITS_PORT, JOB_LIMITS_PORT, STORAGE_PORT } from '@heddle/contracts-messages';
import type {
  AccountId,
  AccountView,
  Answer,
  CreditsPort,
  JobLimitsPort,
  OpenJobsOfAccount,
  StoragePort,
} from '@heddle/contracts-messages';

/** An account with what other contexts know of it; null where they are not asked. */
export interface DescribedAccount {
  readonly account: AccountView;
  readonly balance: number | null;
  readonly openJobs: OpenJobsOfAccount | null;
  readonly storageBytes: number | null;
}

const NO_JOBS: OpenJobsOfAccount = { waiting: 0, running: 0 };

/** What the commands show of an account beside the account itself. */
@Injectable()
export class AccountFacts {
  constructor(
    @Optional() @Inject(CREDITS_PORT) private readonly credits: Pick<CreditsPort, 'balancesOf'> | undefined,
    @Optional() @Inject(JOB_LIMITS_PORT) private readonly jobs: Pick<JobLimitsPort, 'openJobsOf'> | undefined,
    @Optional() @Inject(STORAGE_PORT) private readonly storage: Pick<StoragePort, 'storedBy'> | undefined,
  ) {}

  async describe(answer: Promise<Answer<AccountView>>): Promise<Answer<DescribedAccount>> {
    const found = await answer;
    if (!found.ok) return found;
    const [described] = await this.describeAll([found.value]);
    return { ok: true, value: described! };
  }

  async describeAll(accounts: readonly AccountView[]): Promise<readonly DescribedAccount[]> {
    if (accounts.length === 0) return [];
    const ids = accounts.map(({ accountId }) => accountId);
    const [balances, openJobs, stored] = await Promise.all([
      this.credits?.balancesOf(ids),
      this.jobs?.openJobsOf(ids),
      this.storage?.storedBy(ids),
    ]);
    return accounts.map((account) => ({
      account,
      balance: factOf(balances, account.accountId, 0),
      openJobs: factOf(openJobs, account.accountId, NO_JOBS),
      storageBytes: factOf(stored, account.accountId, 0),
    }));
  }
}

/** `none`: of an account that the other context does not know. */
function factOf<T>(facts: ReadonlyMap<AccountId, T> | undefined, accountId: AccountId, none: T): T | null {
  return facts === undefined ? null : (facts.get(accountId) ?? none);
}
