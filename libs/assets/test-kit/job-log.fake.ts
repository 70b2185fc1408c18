import { JOB_LOG_PORT } from '@heddle/contracts-messages';
import type { AssetId, JobHoldings, JobId, JobLogPort } from '@heddle/contracts-messages';
import type { DynamicModule } from '@nestjs/common';

/** The jobs service as assets asks it: it knows the jobs that a test puts in. */
export class JobLogFake implements JobLogPort {
  readonly #jobs = new Map<JobId, JobHoldings>();
  away = false;

  put(jobId: JobId, state: 'open' | 'ended', outputAssetIds: readonly AssetId[]): void {
    this.#jobs.set(jobId, { ended: state === 'ended', outputAssetIds });
  }

  async holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>> {
    if (this.away) throw new Error('the jobs service is away');
    return await Promise.resolve(new Map([...this.#jobs].filter(([jobId]) => jobIds.includes(jobId))));
  }
}

class JobLogFakeModule {}

export function jobLogModule(jobLog: JobLogPort): DynamicModule {
  return {
    module: JobLogFakeModule,
    providers: [{ provide: JOB_LOG_PORT, useValue: jobLog }],
    exports: [JOB_LOG_PORT],
  };
}
