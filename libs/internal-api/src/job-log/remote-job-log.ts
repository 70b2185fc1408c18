import type { JobHoldings, JobId, JobLogPort, JobMessagePage } from '@heddle/contracts-messages';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';

/** The log of the jobs service in another process. Throws ServiceAwayError where it does not answer. */
export class RemoteJobLog implements JobLogPort {
  constructor(private readonly client: ServiceClient) {}

  async holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    const { head } = await this.client.call({ path: CALLS.jobLog.holdings, head: { jobIds }, repeatable: true });
    return new Map(head as [JobId, JobHoldings][]);
  }

  async endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]> {
    const { head } = await this.client.call({ path: CALLS.jobLog.ended, head: { jobIds }, repeatable: true });
    return head as readonly JobId[];
  }

  async messagesAfter(seq: number, limit: number): Promise<JobMessagePage> {
    const { head } = await this.client.call({ path: CALLS.jobLog.messages, head: { seq, limit }, repeatable: true });
    return head as JobMessagePage;
  }
}
