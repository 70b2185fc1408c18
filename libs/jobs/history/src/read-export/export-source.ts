import type { DuckDBConnection } from '@duckdb/node-api';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { HistorySource } from '../open-source/history-source.js';
import { COLUMN_LIST, eventOfRow } from './event-columns.js';
import { literal } from './sql-literal.js';

/** Events per statement: the engine sorts whole events, payloads included. A file has those of a time together. */
const SORTED_EVENTS = 25_000;

/** The log in Parquet files: those of an export, or of a snapshot of event lines. */
export class ExportSource implements HistorySource {
  constructor(
    readonly name: string,
    readonly connection: DuckDBConnection,
    /** The files of each segment, in the order of the log. */
    private readonly segments: readonly (readonly string[])[],
  ) {}

  /** All files as a relation of SQL; null if there are none, as the log is empty. */
  get relation(): string | null {
    return this.#from(this.segments.flat());
  }

  async *events(after: bigint, signal?: AbortSignal): AsyncGenerator<readonly NumberedEvent[]> {
    for (const files of this.segments)
      for (let seq = after; ;) {
        const to = await this.#lastOfNext(files, seq);
        if (to === null) break;
        yield* this.#select(files, `seq > ${seq} and seq <= ${to}`, 'seq', signal);
        seq = to;
      }
  }

  /** The number of the last event that one statement sorts; null if there are none. Numbers may be far apart where some are missing. */
  async #lastOfNext(files: readonly string[], after: bigint): Promise<bigint | null> {
    const from = this.#from(files);
    if (from === null) return null;
    const numbers = `select seq from ${from} where seq > ${after} order by seq limit ${SORTED_EVENTS}`;
    const [row] = (await this.connection.runAndReadAll(`select max(seq) from (${numbers})`)).getRows();
    return row?.[0] as bigint | null;
  }

  async eventsOf(jobId: string): Promise<readonly NumberedEvent[]> {
    const found: NumberedEvent[] = [];
    const where = `job_id = ${literal(jobId)}`;
    for await (const batch of this.#select(this.segments.flat(), where, 'version')) found.push(...batch);
    return found;
  }

  async newestJobs(limit: number): Promise<readonly string[]> {
    if (this.relation === null) return [];
    const sql = `select job_id from ${this.relation} where version = 1 order by job_id desc limit ${limit}`;
    return (await this.connection.runAndReadAll(sql)).getRows().map(([id]) => String(id));
  }

  /** The numbered events of each job in version order, job by job; the engine sorts, on disk if need be. */
  async *jobs(signal?: AbortSignal): AsyncGenerator<readonly NumberedEvent[]> {
    let job: NumberedEvent[] = [];
    for await (const batch of this.#select(this.segments.flat(), 'seq is not null', 'job_id, version', signal))
      for (const event of batch) {
        if (job.length > 0 && job[0]?.streamId !== event.streamId) {
          yield job;
          job = [];
        }
        job.push(event);
      }
    if (job.length > 0) yield job;
  }

  async *#select(
    files: readonly string[],
    where: string,
    order: string,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly NumberedEvent[]> {
    const from = this.#from(files);
    if (from === null) return;
    signal?.throwIfAborted();
    const result = await this.connection.stream(`select ${COLUMN_LIST} from ${from} where ${where} order by ${order}`);
    for (;;) {
      signal?.throwIfAborted();
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.getRows().map(eventOfRow);
    }
  }

  #from(files: readonly string[]): string | null {
    return files.length === 0 ? null : parquet(files);
  }
}

/** All files have the columns of the first one. The paths are not read as a layout: `event_type` in a path is not a column. */
export function parquet(paths: readonly string[]): string {
  return `read_parquet([${paths.map(literal).join(', ')}], hive_partitioning = false)`;
}
