import type { AssetId, JobId } from './ids.js';
import type { JobMessage } from './job-messages.js';

/**
 * Queries of services that follow jobs and missed messages. Rejects while the jobs service is unreachable.
 * Implementations pass `test/internal-calls/job-log-port.suite.ts`, and those in one process
 * `libs/testing/jobs/src/job-log.suite.ts` too.
 */
export interface JobLogPort {
  /** Outputs of these jobs, at most MAX_ASKED_JOBS at once. Purged and unknown jobs are missing. */
  holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>>;

  /**
   * Which of these jobs, at most MAX_ASKED_ENDS, the log proves to hold nothing any more: they ended, purged or not. An
   * unknown job is missing: its submission may be in progress, whatever the time in its id, which comes from another
   * clock.
   */
  endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]>;

  /** At most `limit` messages of the events after `seq`, as the relay publishes them, in log order. */
  messagesAfter(seq: number, limit: number): Promise<JobMessagePage>;
}
export const JOB_LOG_PORT = Symbol('JobLogPort');

/** A job has up to 1,000 outputs of 40 bytes each: an answer stays below 4 MiB. */
export const MAX_ASKED_JOBS = 100;

/** A request of 40 KB. */
export const MAX_ASKED_ENDS = 1_000;

/** Maximum messages of one page. */
export const MAX_PAGE_MESSAGES = 1_000;

export interface JobMessagePage {
  /** Without a gap from `seq` + 1 on. */
  readonly messages: readonly SequencedMessage[];
  /** Id of the event at `seq`; null if the log has no such event. */
  readonly after: string | null;
  /** Sequence number of the last event of the log. */
  readonly head: number;
}

interface SequencedMessage {
  readonly seq: number;
  readonly message: JobMessage;
}

export interface JobHoldings {
  /** The job has a terminal status: `outputAssetIds` is final. */
  readonly ended: boolean;
  /** Every output that the job has committed so far. */
  readonly outputAssetIds: readonly AssetId[];
}
