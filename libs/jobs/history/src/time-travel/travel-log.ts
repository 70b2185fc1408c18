import { DuckDBTimestampTZValue } from '@duckdb/node-api';
import type { DuckDBValue } from '@duckdb/node-api';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { ExportSource } from '../read-export/export-source.js';
import type { Position } from './position.js';

/** There is no log at this position; the message says where it begins and ends. */
export class NoSuchPositionError extends Error {
  override readonly name = 'NoSuchPositionError';
}

/** The highest number that belongs to the log at a position, and its instant. */
export interface LoggedPlace {
  readonly seq: bigint;
  readonly at: string;
}

interface Ends {
  readonly first: LoggedPlace;
  readonly last: LoggedPlace;
  /** The latest instant of all events, which need not be that of the last one. */
  readonly latest: string;
}

/** A log that can be looked at from any of its positions. Its jobs are read one by one: memory holds one of them. */
export class TravelLog {
  #found: Promise<Ends | null> | null = null;

  constructor(
    private readonly source: ExportSource,
    private readonly onProgress?: (progress: { readonly events: number; readonly total: number }) => void,
  ) {}

  /** @throws NoSuchPositionError before the first event and behind the last one */
  async place(position: Position): Promise<LoggedPlace> {
    const named = 'seq' in position ? `seq ${position.seq}` : position.instant;
    const ends = await this.#ends();
    if (ends === null) throw new NoSuchPositionError(`the log is empty, so it has no ${named}`);
    const { first, last, latest } = ends;
    const isBehind = 'seq' in position ? position.seq > last.seq : Date.parse(position.instant) > Date.parse(latest);
    const found = isBehind ? null : await this.#highest(position);
    if (found !== null) return found;
    throw new NoSuchPositionError(
      `the log has no position ${named}: it begins at seq ${first.seq} (${first.at}) and ends at seq ${last.seq} (${last.at})`,
    );
  }

  /** The numbered events of each job in version order; `jobId` limits them to one. */
  async *jobs(jobId: string | null, signal?: AbortSignal): AsyncGenerator<readonly NumberedEvent[]> {
    if (jobId === null) return yield* this.#allJobs(signal);
    const events = (await this.source.eventsOf(jobId)).filter(({ seq }) => seq !== null);
    if (events.length > 0) yield events;
  }

  async *#allJobs(signal?: AbortSignal): AsyncGenerator<readonly NumberedEvent[]> {
    const total = Number((await this.#row('count(*)', 'seq is not null'))?.[0] ?? 0);
    let events = 0;
    for await (const job of this.source.jobs(signal)) {
      events += job.length;
      this.onProgress?.({ events, total });
      yield job;
    }
  }

  /** Read once: the log does not change while it is looked at. */
  #ends(): Promise<Ends | null> {
    return (this.#found ??= this.#readEnds());
  }

  async #readEnds(): Promise<Ends | null> {
    const row = await this.#row(
      'min(seq), arg_min(recorded_at, seq), max(seq), arg_max(recorded_at, seq), max(recorded_at)',
      'seq is not null',
    );
    if (row === null) return null;
    const [firstSeq, firstAt, lastSeq, lastAt, latest] = row;
    return { first: loggedPlaceOf(firstSeq, firstAt), last: loggedPlaceOf(lastSeq, lastAt), latest: instantOf(latest) };
  }

  /** Of each job the events up to the first one recorded later belong to an instant, as clocks go back. */
  async #highest(position: Position): Promise<LoggedPlace | null> {
    const row =
      'seq' in position
        ? await this.#row('max(seq), arg_max(recorded_at, seq)', `seq <= ${position.seq}`)
        : await this.#row(
            'max(seq), arg_max(recorded_at, seq)',
            `seq is not null qualify max(recorded_at) over (partition by job_id order by version
               rows between unbounded preceding and current row) <= timestamptz '${position.instant}'`,
          );
    return row === null ? null : loggedPlaceOf(row[0], row[1]);
  }

  async #row(list: string, where: string): Promise<readonly DuckDBValue[] | null> {
    const { relation, connection } = this.source;
    if (relation === null) return null;
    const sql = `select ${list} from (select job_id, version, seq, recorded_at from ${relation} where ${where})`;
    const [row] = (await connection.runAndReadAll(sql)).getRows();
    return row === undefined || row[0] === null ? null : row;
  }
}

function loggedPlaceOf(seq: DuckDBValue | undefined, at: DuckDBValue | undefined): LoggedPlace {
  return { seq: BigInt(String(seq)), at: instantOf(at) };
}

function instantOf(value: DuckDBValue | undefined): string {
  if (!(value instanceof DuckDBTimestampTZValue)) throw new Error('the engine gave no instant');
  return new Date(Number(value.micros / 1_000n)).toISOString();
}
