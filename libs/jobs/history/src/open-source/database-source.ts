import { newestStreams, readFrom, readNumbered } from '@heddle/platform-event-log';
import type { NumberedEvent, SequencedEvent } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';
import type { HistorySource } from './history-source.js';

const SCHEMA = 'jobs';
/** Events per statement: each has a snapshot of its own, which lasts for some 100 ms. */
const BATCH = 4_000;

/** The log in a database, while the service runs. */
export class DatabaseSource implements HistorySource {
  constructor(
    private readonly client: ClientBase,
    readonly name: string,
  ) {}

  /** Ends at the last number that exists when it is reached. */
  async *events(after: bigint, signal?: AbortSignal): AsyncGenerator<readonly SequencedEvent[]> {
    for (let seq = after; ;) {
      signal?.throwIfAborted();
      const batch = await readFrom(this.client, SCHEMA, seq, BATCH);
      const last = batch.at(-1);
      if (last === undefined) return;
      yield batch;
      seq = last.seq;
    }
  }

  async eventsOf(jobId: string): Promise<readonly NumberedEvent[]> {
    return await readNumbered(this.client, SCHEMA, jobId);
  }

  async newestJobs(limit: number): Promise<readonly string[]> {
    return await newestStreams(this.client, SCHEMA, limit);
  }
}
