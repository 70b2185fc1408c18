import { JOB_LOG_PORT, LEASE_AUTHORITY_PORT } from '@heddle/contracts-messages';
import type {
  AssetId,
  JobHoldings,
  JobId,
  JobLogPort,
  JobMessage,
  JobMessagePage,
  LeaseAuthorityPort,
} from '@heddle/contracts-messages';
import type { DynamicModule } from '@nestjs/common';
import { LeaseAuthorityFake } from './lease-authority.fake.js';

/** The jobs service as seen by assets: it knows the jobs that a test adds. */
export class JobLogFake implements JobLogPort {
  readonly #jobs = new Map<JobId, JobHoldings>();
  away = false;
  /** The events of the log: `seq` is the index + 1. */
  log: JobMessage[] = [];
  pages = 0;
  /** The number of jobs in each query for ended jobs. */
  readonly asked: number[] = [];

  put(jobId: JobId, state: 'open' | 'ended', outputAssetIds: readonly AssetId[]): void {
    this.#jobs.set(jobId, { ended: state === 'ended', outputAssetIds });
  }

  async holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    if (this.away) throw new Error('the jobs service is away');
    return await Promise.resolve(new Map([...this.#jobs].filter(([jobId]) => jobIds.includes(jobId))));
  }

  async endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]> {
    if (this.away) throw new Error('the jobs service is away');
    this.asked.push(jobIds.length);
    return await Promise.resolve(jobIds.filter((jobId) => this.#jobs.get(jobId)?.ended === true));
  }

  async messagesAfter(seq: number, limit: number): Promise<JobMessagePage> {
    if (this.away) throw new Error('the jobs service is away');
    this.pages += 1;
    const messages = this.log.slice(seq, seq + limit).map((message, at) => ({ seq: seq + 1 + at, message }));
    return await Promise.resolve({ messages, after: this.log[seq - 1]?.eventId ?? null, head: this.log.length });
  }
}

class JobLogFakeModule {}

export function jobLogModule(jobLog: JobLogPort, leases: LeaseAuthorityPort = new LeaseAuthorityFake()): DynamicModule {
  return {
    module: JobLogFakeModule,
    providers: [
      { provide: JOB_LOG_PORT, useValue: jobLog },
      { provide: LEASE_AUTHORITY_PORT, useValue: leases },
    ],
    exports: [JOB_LOG_PORT, LEASE_AUTHORITY_PORT],
  };
}
