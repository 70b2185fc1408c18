import type { AssetId, JobId } from './ids.js';
import type { JobMessage } from './job-messages.js';

/** What services that follow jobs ask the jobs service when they missed messages. Rejects while the service is away. */
export interface JobLogPort {
  /** What these jobs have, at most MAX_ASKED_JOBS at once. A job that was purged, or never was, is absent. */
  holdingsOf(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, JobHoldings>>;

  /**
   * Which of these jobs, MAX_ASKED_ENDS at most, the log proves to hold nothing any more: they ended, purged or not. An unknown job is
   * absent: its submission may be under way, whatever the time in its id, which another clock gave.
   */
  endedOf(jobIds: readonly JobId[]): Promise<readonly JobId[]>;

  /** The messages of the events after `seq`, at most `limit`, as the relay publishes them and in the order of the log. */
  messagesAfter(seq: number, limit: number): Promise<JobMessagePage>;
}
export const JOB_LOG_PORT = Symbol('JobLogPort');

/** A job has up to 1,000 outputs of 40 bytes each: an answer stays below 4 MiB. */
export const MAX_ASKED_JOBS = 100;

/** A question of 40 KB. */
export const MAX_ASKED_ENDS = 1_000;

/** Most messages of one page. */
export const MAX_PAGE_MESSAGES = 1_000;

export interface JobMessagePage {
  /** Without a gap from `seq` + 1 on. */
  readonly messages: readonly SequencedMessage[];
  /** Id of the event at `seq`; null if the log has no such event. */
  readonly after: string | null;
  /** Sequence number of the last event of the log. */
  readonly head: number;
}

export interface SequencedMessage {
  readonly seq: number;
  readonly message: JobMessage;
}

export interface JobHoldings {
  /** The job has a terminal status: `outputAssetIds` is final. */
  readonly ended: boolean;
  /** Every output that the job has committed so far. */
  readonly outputAssetIds: readonly AssetId[];
}
