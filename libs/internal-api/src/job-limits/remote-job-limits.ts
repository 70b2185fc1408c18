import type { AccountId, AccountJobLimits, JobLimitsPort, OpenJobsOfAccount } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { JobLimitsServiceService } from '../generated/heddle/jobs/v1/limits.js';

/** The limits that the jobs service enforces in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteJobLimits implements JobLimitsPort {
  constructor(private readonly channel: ServiceChannel) {}

  async limitAccount(accountId: AccountId, { queueDepth, running }: AccountJobLimits, version: number): Promise<void> {
    const own = { queueDepth: queueDepth ?? undefined, running: running ?? undefined };
    await this.channel.call(JobLimitsServiceService.limitAccount, { accountId, ...own, version });
  }

  async openJobsOf(accountIds: readonly AccountId[]): Promise<ReadonlyMap<AccountId, OpenJobsOfAccount>> {
    const { accounts } = await this.channel.call(JobLimitsServiceService.openJobs, { accountIds: [...accountIds] });
    return new Map(accounts.map(({ accountId, ...open }) => [accountId as AccountId, open]));
  }
}
