import type { JobHoldings, JobId, JobLogPort, JobMessagePage } from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { JobLogServiceService } from '../generated/heddle/jobs/v1/job_log.js';
import { holdingsOf, pageOf } from './job-log-wire.js';

/** Reads the log of the jobs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteJobLog implements JobLogPort {
  constructor(private readonly channel: ServiceChannel) {}

  async holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    const { jobs } = await this.channel.call(JobLogServiceService.holdings, { jobIds: [...jobIds] });
    return holdingsOf(jobs);
  }

  async endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]> {
    const ended = await this.channel.call(JobLogServiceService.ended, { jobIds: [...jobIds] });
    return ended.jobIds as JobId[];
  }

  async messagesAfter(seq: number, limit: number): Promise<JobMessagePage> {
    return pageOf(await this.channel.call(JobLogServiceService.messages, { seq, limit }));
  }
}
