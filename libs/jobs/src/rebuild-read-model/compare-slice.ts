import { copyRows } from '@heddle/platform-database';
import type { LogFault } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { StreamFold, streamsSql, type FoldedStream } from './fold-streams.js';
import type { JobSlice } from './job-slices.js';
import { columnTexts, READ_MODEL_TABLES } from './read-model-tables.js';
import type { FoldedJob, ReadModelRow, ReadModelTable } from './read-model-tables.js';

/** A row that does not match the log, or an event that cannot be folded. */
export type SliceFault = Pick<LogFault, 'fault' | 'eventId' | 'streamId' | 'version' | 'message'>;

export interface ComparedSlice {
  readonly events: number;
  /** Jobs according to the log. */
  readonly jobs: readonly FoldedJob[];
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
    const text = `select ${columnTexts(table)} from ${JOBS_SCHEMA}.${table.name} t where ${slice(`t.${table.columns[0]![0]}`)}`;
    const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
    comparison.shown(table, rows);
  }
  const fold = new StreamFold(comparison);
  const events = await copyRows(client, streamsSql(slice), (row) => fold.take(row));
  fold.end();
  return { events, ...comparison.end() };
}

class SliceComparison {
  readonly #shown = new Map<ReadModelTable, Map<string, Map<string, ReadModelRow>>>();
  readonly #faults: SliceFault[] = [];
  readonly #jobs: FoldedJob[] = [];
  readonly #unknown: string[] = [];
  #outputs = 0;

  /** Adds rows by job and key. */
  shown(table: ReadModelTable, rows: readonly ReadModelRow[]): void {
    const byJob = new Map<string, Map<string, ReadModelRow>>();
    for (const row of rows) {
      const jobId = String(row[0]);
      const ofJob = byJob.get(jobId) ?? new Map<string, ReadModelRow>();
      byJob.set(jobId, ofJob.set(row.slice(0, table.keyWidth).join(' '), row));
    }
    this.#shown.set(table, byJob);
  }

  fault(fault: LogFault['fault'], message: string, at: Pick<LogFault, 'eventId' | 'streamId' | 'version'>): void {
    this.#faults.push({ fault, message, ...at });
  }

  folded(stream: FoldedStream): void {
    const { jobId } = stream;
    for (const table of READ_MODEL_TABLES) {
      const found = this.#shown.get(table)!;
      const rows = found.get(jobId);
      found.delete(jobId);
      if (stream.is === 'unknown') continue;
      this.#compare(
        table,
        stream.is === 'purged' ? [] : table.rows(stream.job),
        rows ?? new Map<string, ReadModelRow>(),
      );
    }
    if (stream.is === 'unknown') this.#unknown.push(jobId);
    if (stream.is !== 'visible') return;
    this.#jobs.push(stream.job);
    this.#outputs += stream.job.state.facts.outputs.length;
  }

  /** Rows that remain have no events. */
  end(): Omit<ComparedSlice, 'events'> {
    for (const [table, byJob] of this.#shown) for (const rows of byJob.values()) this.#compare(table, [], rows);
    return { jobs: this.#jobs, outputs: this.#outputs, unknown: this.#unknown, faults: this.#faults };
  }

  #compare(table: ReadModelTable, wanted: readonly ReadModelRow[], found: Map<string, ReadModelRow>): void {
    for (const row of wanted) {
      const key = row.slice(0, table.keyWidth).join(' ');
      const shown = found.get(key);
      found.delete(key);
      if (shown === undefined) this.#differ(row, `${table.describe(row)} is missing`);
      else
        row.forEach((text, at) => {
          if (text === shown[at]) return;
          this.#differ(row, `${table.describe(row)}: ${table.columns[at]?.[0]} is ${shown[at]}, the log has ${text}`);
        });
    }
    for (const row of found.values()) this.#differ(row, `${table.describe(row)} exists, but not in the log`);
  }

  #differ(row: ReadModelRow, message: string): void {
    this.#faults.push({ fault: 'read_model', eventId: null, streamId: String(row[0]), version: null, message });
  }
}
