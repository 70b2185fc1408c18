import { copyRows } from '@heddle/platform-database';
import type { LogFault } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { StreamFold, streamsSql, type FoldedStream } from './fold-streams.js';
import type { JobSlice } from './job-slices.js';
import { columnList, READ_MODEL_TABLES, readModelRow } from './read-model-tables.js';
import type { JobRows, ReadModelRow, ReadModelTable } from './read-model-tables.js';

/** A row that does not match the log, or an event that cannot be folded. */
export type SliceFault = Pick<LogFault, 'fault' | 'eventId' | 'streamId' | 'version' | 'message'>;

interface ComparedSlice {
  readonly events: number;
  /** Jobs according to the log. */
  readonly jobs: readonly JobRows[];
  readonly outputs: number;
  /** Jobs with an event that cannot be folded, or whose payload was removed: their rows cannot be checked. */
  readonly unknown: readonly string[];
  readonly faults: readonly SliceFault[];
}

/**
 * Folds the events of some jobs and compares their rows with the result. Call it in a repeatable read transaction for
 * this slice only: each job is compared at the version of its row, while the service runs.
 */
export async function compareSlice(client: ClientBase, slice: JobSlice): Promise<ComparedSlice> {
  const comparison = new SliceComparison();
  for (const table of READ_MODEL_TABLES) {
    const text = `select ${columnList(table)} from ${JOBS_SCHEMA}.${table.name} t where ${slice(`t.${table.columns[0]![0]}`)}`;
    await copyRows(client, text, (row) => comparison.shown(table, readModelRow(table, row)));
  }
  const fold = new StreamFold(comparison);
  const events = await copyRows(client, streamsSql(slice), (row) => fold.take(row));
  fold.end();
  return { events, ...comparison.end() };
}

/** The rows of one job in one table. */
type RowsByKey = Map<string, ReadModelRow>;

class SliceComparison {
  readonly #shown = new Map(READ_MODEL_TABLES.map((table) => [table, new Map<string, RowsByKey>()]));
  readonly #faults: SliceFault[] = [];
  readonly #jobs: JobRows[] = [];
  readonly #unknown: string[] = [];
  #outputs = 0;

  /** Adds a stored row. */
  shown(table: ReadModelTable, row: ReadModelRow): void {
    const byJob = this.#shown.get(table)!;
    const jobId = String(row[0]);
    const ofJob = byJob.get(jobId);
    if (ofJob === undefined) byJob.set(jobId, new Map([[keyOf(table, row), row]]));
    else ofJob.set(keyOf(table, row), row);
  }

  fault(fault: LogFault['fault'], message: string, at: Pick<LogFault, 'eventId' | 'streamId' | 'version'>): void {
    this.#faults.push({ fault, message, ...at });
  }

  folded(stream: FoldedStream): void {
    const { jobId } = stream;
    for (const [at, table] of READ_MODEL_TABLES.entries()) {
      const found = this.#shown.get(table)!;
      const rows = found.get(jobId);
      found.delete(jobId);
      if (stream.is === 'unknown') continue;
      this.#compare(table, stream.is === 'purged' ? [] : stream.rows[at]!, rows ?? new Map());
    }
    if (stream.is === 'unknown') this.#unknown.push(jobId);
    if (stream.is !== 'visible') return;
    this.#jobs.push(stream.rows);
    this.#outputs += stream.outputs;
  }

  /** Rows that remain have no events. */
  end(): Omit<ComparedSlice, 'events'> {
    for (const [table, byJob] of this.#shown) for (const rows of byJob.values()) this.#compare(table, [], rows);
    return { jobs: this.#jobs, outputs: this.#outputs, unknown: this.#unknown, faults: this.#faults };
  }

  #compare(table: ReadModelTable, wanted: readonly ReadModelRow[], found: RowsByKey): void {
    for (const row of wanted) {
      const key = keyOf(table, row);
      const shown = found.get(key);
      found.delete(key);
      if (shown === undefined) this.#differ(row, `${table.describe(row)} is missing`);
      else
        for (const [at, [column]] of table.columns.entries())
          if (row[at] !== shown[at])
            this.#differ(row, `${table.describe(row)}: ${column} is ${shown[at]}, the log has ${row[at]}`);
    }
    for (const row of found.values()) this.#differ(row, `${table.describe(row)} exists, but not in the log`);
  }

  #differ(row: ReadModelRow, message: string): void {
    this.#faults.push({ fault: 'read_model', eventId: null, streamId: String(row[0]), version: null, message });
  }
}

/** The part of the key that differs between rows of one job. */
function keyOf({ keyWidth }: ReadModelTable, row: ReadModelRow): string {
  return keyWidth === 1 ? '' : row.slice(1, keyWidth).join(' ');
}
