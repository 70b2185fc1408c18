import { JobStream } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { HistorySource } from '../open-source/history-source.js';
import { jobAt, type JobAt } from './job-at.js';
import { PositionFilter, type Position } from './position.js';

/** There is no log at this position; the message says where it begins and ends. */
export class NoSuchPositionError extends Error {
  override readonly name = 'NoSuchPositionError';
}

/** All jobs at one position. */
export class LogAt {
  readonly #filter: PositionFilter;
  readonly #jobs = new Map<string, { readonly stream: JobStream; readonly deploymentId: string }>();
  #seq = 0n;
  #first: NumberedEvent | null = null;
  #last: NumberedEvent | null = null;
  #at: string | null = null;
  #unusable: string | null = null;
  /** The latest instant of all events, which need not be that of the last one. */
  #latest = '';

  constructor(private readonly position: Position) {
    this.#filter = new PositionFilter(position);
  }

  /** Reads the next event; folds it if it belongs to the log at this position and `folds`. */
  take(event: NumberedEvent, folds: boolean): void {
    this.#first ??= event;
    this.#last = event;
    if (event.recordedAt > this.#latest) this.#latest = event.recordedAt;
    if (!this.#filter.admits(event)) return;
    if (event.seq !== null && event.seq > this.#seq) [this.#seq, this.#at] = [event.seq, event.recordedAt];
    if (!folds) return;
    const { streamId, deploymentId, version, type, schemaVersion, recordedAt, workerSeq, data } = event;
    const job = this.#jobs.get(streamId) ?? { stream: new JobStream(), deploymentId };
    const text = data?.toString('utf8') ?? null;
    const fault = job.stream.take({ version, type, schemaVersion, recordedAt, workerSequence: workerSeq, data: text });
    if (fault !== null) this.#unusable ??= `seq ${event.seq ?? 'without a number'}, job ${streamId}: ${fault.message}`;
    this.#jobs.set(streamId, job);
  }

  /** The highest number that belongs to the log at this position, and its instant; throws where there is none. */
  place(): { readonly seq: bigint; readonly at: string } {
    const { position } = this;
    const [first, last] = [this.#first, this.#last];
    const named = 'seq' in position ? `seq ${position.seq}` : position.instant;
    if (first === null || last === null) throw new NoSuchPositionError(`the log is empty, so it has no ${named}`);
    const isBehind =
      'seq' in position
        ? last.seq !== null && position.seq > last.seq
        : Date.parse(position.instant) > Date.parse(this.#latest);
    if (isBehind || this.#at === null)
      throw new NoSuchPositionError(
        `the log has no position ${named}: it begins at seq ${first.seq} (${first.recordedAt}) and ends at seq ${last.seq} (${last.recordedAt})`,
      );
    return { seq: this.#seq, at: this.#at };
  }

  /** The first event at this position that cannot be used, and why: its job is left out. Null: there is none. */
  get unusable(): string | null {
    return this.#unusable;
  }

  /** Null: not submitted by then, purged, or not readable. */
  job(jobId: string): JobAt | null {
    const job = this.#jobs.get(jobId);
    const outcome = job?.stream.outcome();
    return job === undefined || outcome?.is !== 'visible' ? null : jobAt({ jobId, ...job }, outcome.state);
  }

  /** The readable jobs, in the order of their submission. */
  *jobs(): Generator<readonly [string, JobAt]> {
    for (const jobId of this.#jobs.keys()) {
      const job = this.job(jobId);
      if (job !== null) yield [jobId, job];
    }
  }
}

/** Reads the log once for any number of positions. */
export async function readLogAt(
  source: HistorySource,
  logs: readonly LogAt[],
  { jobId, signal }: { readonly jobId: string | null; readonly signal?: AbortSignal },
): Promise<void> {
  for await (const batch of source.events(0n, signal))
    for (const event of batch)
      // The ends of the log count for a position, whichever job is asked for.
      for (const log of logs) log.take(event, jobId === null || event.streamId === jobId);
}
