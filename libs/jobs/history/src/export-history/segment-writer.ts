import { hash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { ExportPlace } from '../export-place/export-place.js';
import type { ExportFile, ExportSegment } from '../export-place/manifest.js';
import type { HistorySource } from '../open-source/history-source.js';
import { appendEvents } from '../read-export/append-events.js';
import { exportRows, TABLE_COLUMNS } from '../read-export/event-columns.js';
import { literal } from '../read-export/sql-literal.js';

const DIGITS = 12;

export interface SegmentRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly chainBefore: string;
}

interface Part {
  readonly day: string;
  readonly type: string;
  readonly exportedAt: string;
  readonly signal: AbortSignal;
}

/** Writes one segment: a file per day and event type, named by the segment's numbers. */
export class SegmentWriter {
  constructor(
    private readonly engine: DuckDBConnection,
    private readonly place: ExportPlace,
    private readonly redact: boolean,
  ) {}

  async write(
    source: HistorySource,
    range: SegmentRange,
    signal: AbortSignal,
    onProgress: (events: number) => void,
  ): Promise<{ readonly segment: ExportSegment; readonly recordedAt: string }> {
    await this.engine.run(`create or replace temp table segment (${TABLE_COLUMNS})`);
    const last = await this.#load(source, range, signal, onProgress);
    const exportedAt = new Date().toISOString();
    const written: ExportFile[] = [];
    try {
      for (const [day, type] of await this.#parts()) {
        signal.throwIfAborted();
        written.push(await this.#writeFile(range, { day, type, exportedAt, signal }));
      }
    } catch (error) {
      // The next export removes what remains.
      for (const { path } of written) await this.place.remove(path).catch(() => undefined);
      throw error;
    }
    await this.engine.run('drop table segment');
    return {
      recordedAt: last.recordedAt,
      segment: {
        from_seq: Number(range.from),
        to_seq: Number(range.to),
        events: Number(range.to - range.from) + 1,
        chain_before: range.chainBefore,
        chain: last.chain!.toString('hex'),
        exported_at: exportedAt,
        redacted: this.redact,
        files: written,
      },
    };
  }

  async #load(
    source: HistorySource,
    { from, to }: SegmentRange,
    signal: AbortSignal,
    onProgress: (events: number) => void,
  ): Promise<NumberedEvent> {
    const appender = await this.engine.createAppender('segment');
    let [loaded, last] = [0, null as NumberedEvent | null];
    for await (const batch of source.events(from - 1n, signal)) {
      const wanted = batch.filter(({ seq }) => seq !== null && seq <= to).map((event) => this.#kept(event));
      appendEvents(appender, wanted);
      loaded += wanted.length;
      last = wanted.at(-1) ?? last;
      onProgress(loaded);
      if (last?.seq === to) break;
    }
    appender.closeSync();
    if (last?.seq !== to || loaded !== Number(to - from) + 1)
      throw new Error(`the log has a gap between seq ${from} and ${to}: heddle history verify names it`);
    return last;
  }

  /** A payload that is left out keeps its digest, so that the chain can still be verified. */
  #kept(event: NumberedEvent): NumberedEvent {
    if (!this.redact || event.data === null) return event;
    return { ...event, data: null, dataDigest: hash('sha256', event.data, 'buffer') };
  }

  async #parts(): Promise<readonly (readonly [string, string])[]> {
    const sql = `select distinct strftime(recorded_at, '%Y-%m-%d') as dt, type from segment order by all`;
    return (await this.engine.runAndReadAll(sql)).getRows().map(([day, type]) => [String(day), String(type)]);
  }

  async #writeFile({ from, to }: SegmentRange, { day, type, exportedAt, signal }: Part): Promise<ExportFile> {
    const name = `part-${String(from).padStart(DIGITS, '0')}-${String(to).padStart(DIGITS, '0')}.parquet`;
    const path = `events/dt=${day}/event_type=${folderName(type)}/${name}`;
    // A range: each file looks at all rows of the segment, and to format their days would be most of an export's time.
    const begin = `timestamptz ${literal(`${day} 00:00:00+00`)}`;
    const rows = `from segment where type = ${literal(type)} and recorded_at >= ${begin} and recorded_at < ${begin} + interval 1 day`;
    const write = async (target: string): Promise<void> => {
      await this.engine.run(
        `copy (${exportRows(exportedAt, rows)}) to ${literal(target)} (format parquet, compression zstd)`,
      );
    };
    const { bytes, sha256 } = await this.place.add(path, write, signal);
    const facts = `select count(*), min(seq), max(seq), epoch_ms(min(recorded_at)), epoch_ms(max(recorded_at)) ${rows}`;
    const [events, minSeq, maxSeq, minAt, maxAt] = (await this.engine.runAndReadAll(facts)).getRows()[0]!.map(Number);
    return {
      path,
      events: events!,
      bytes,
      sha256,
      min_seq: minSeq!,
      max_seq: maxSeq!,
      min_recorded_at: new Date(minAt!).toISOString(),
      max_recorded_at: new Date(maxAt!).toISOString(),
    };
  }
}

/** The types of this build are words; one of a newer build may hold what a path must not. */
function folderName(type: string): string {
  return encodeURIComponent(type).replace(/[^A-Za-z\d_%]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
}
