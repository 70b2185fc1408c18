import type { JobHoldings, JobId, JobLogPort } from '@heddle/contracts-messages';
import type { JobHoldingsReader } from './read-holdings/job-holdings.js';

/** What services that follow jobs ask of this one, answered in this process. */
export class LocalJobLog implements JobLogPort {
  constructor(private readonly holdings: JobHoldingsReader) {}

  async holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    return await this.holdings.of(jobIds);
  }
}
