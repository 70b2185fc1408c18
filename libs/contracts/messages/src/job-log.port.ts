import type { AssetId, JobId } from './ids.js';

/** What services that follow jobs ask of the jobs service: its own word, where messages were missed. Rejects while the service is away. */
export interface JobLogPort {
  /** What these jobs have, at most MAX_ASKED_JOBS at once. A job that was purged, or never was, is absent. */
  holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>>;
}
export const JOB_LOG_PORT = Symbol('JobLogPort');

/** A job has up to 1,000 outputs of 40 bytes each: an answer stays below 4 MiB. */
export const MAX_ASKED_JOBS = 100;

export interface JobHoldings {
  /** The job has a terminal status: `outputAssetIds` is final. */
  readonly ended: boolean;
  /** Every output that the job has committed so far. */
  readonly outputAssetIds: readonly AssetId[];
}
