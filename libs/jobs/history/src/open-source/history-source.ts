import type { NumberedEvent } from '@heddle/platform-event-log';

/** A log of job events, wherever it is stored. Implementations pass `libs/jobs/history/src/open-source/history-source.suite.ts`. */
export interface HistorySource {
  /** Name for messages and reports. */
  readonly name: string;
  /** The numbered events behind `after`, in order, in batches. */
  events(after: bigint, signal?: AbortSignal): AsyncIterable<readonly NumberedEvent[]>;
  /** The events of one job in version order, also those without a number; empty for an unknown job. */
  eventsOf(jobId: string): Promise<readonly NumberedEvent[]>;
  /** Ids of the newest jobs, newest first; none if the source can be read only once. */
  newestJobs(limit: number): Promise<readonly string[]>;
}
