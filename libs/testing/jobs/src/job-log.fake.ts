import type { AssetId, JobHoldings, JobId, JobLogPort, JobMessagePage } from '@heddle/contracts-messages';

type FakeJob = JobHoldings & { readonly purged: boolean };

/** The job log of a jobs service that knows the jobs that a test adds, and has published no event. */
export class JobLogFake implements JobLogPort {
  readonly #jobs = new Map<JobId, FakeJob>();
  #detachedTo = '';
  away = false;
  /** The number of jobs in each query for ended jobs. */
  readonly asked: number[] = [];

  put(jobId: JobId, state: 'open' | 'ended' | 'purged', outputAssetIds: readonly AssetId[]): void {
    this.#jobs.set(jobId, { ended: state !== 'open', purged: state === 'purged', outputAssetIds });
  }

  /** Detaches the partition of the jobs up to this one: no event of them can be read any more. */
  detachTo(jobId: JobId): void {
    this.#detachedTo = jobId;
  }

  async holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    if (this.away) throw new Error('the jobs service is away');
    const found = [...this.#jobs].filter(([jobId, { purged }]) => jobIds.includes(jobId) && !purged);
    return await Promise.resolve(
      new Map(found.map(([jobId, { ended, outputAssetIds }]) => [jobId, { ended, outputAssetIds }])),
    );
  }

  async endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]> {
    if (this.away) throw new Error('the jobs service is away');
    this.asked.push(jobIds.length);
    return await Promise.resolve(jobIds.filter((jobId) => this.#jobs.get(jobId)?.ended ?? jobId <= this.#detachedTo));
  }

  async messagesAfter(): Promise<JobMessagePage> {
    if (this.away) throw new Error('the jobs service is away');
    return await Promise.resolve({ messages: [], after: null, head: 0 });
  }
}
