import { BinaryRows } from './binary-rows.ts';
import { TABLES } from './job-columns.ts';
import type { Table } from './job-columns.ts';
import { eventsOf } from './job-events.ts';
import { JobPlanner } from './plan-job.ts';
import type { JobPlan, PlannedJob } from './plan-job.ts';

/** The rows of one table, ready for COPY. */
export interface EncodedTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly bytes: Buffer;
}

export interface EncodedBatch {
  readonly jobs: number;
  /** Tables with rows, in the order of foreign keys */
  readonly tables: readonly EncodedTable[];
  readonly unended: readonly PlannedJob[];
}

/** Lifetime of an idempotency key: one day */
const KEY_LIFE_MS = 86_400_000;

/** Encodes the jobs of a plan. Events are written job by job, so that each stream is contiguous in pages and indexes. */
export class BatchEncoder {
  readonly #plan: JobPlan;
  readonly #planner: JobPlanner;
  /** Bytes of each table in the last batch, as an estimate for the next one */
  readonly #sizes = new Map<string, number>();

  constructor(plan: JobPlan) {
    this.#plan = plan;
    this.#planner = new JobPlanner(plan);
  }

  /** Encodes the jobs with numbers from `from` to `to`. */
  batch(from: number, to: number): EncodedBatch {
    const rowsOf = new Map<string, BinaryRows>();
    for (const { name } of ALL_TABLES) rowsOf.set(name, new BinaryRows(this.#sizes.get(name)));
    const write: WriteRow = ({ name, write: writeRow }, row) => writeRow(rowsOf.get(name)!, row);
    const unended: PlannedJob[] = [];
    for (let i = from; i <= to; i += 1) {
      const job = this.#planner.job(i);
      writeJob(write, job, this.#plan.now);
      if (job.endedAt === null) unended.push(job);
    }
    const tables = ALL_TABLES.flatMap(({ name, columns }): EncodedTable[] => {
      const rows = rowsOf.get(name)!;
      if (rows.rows === 0) return [];
      const bytes = rows.finished();
      this.#sizes.set(name, Math.ceil(bytes.length * 1.05));
      return [{ table: name, columns, bytes }];
    });
    return { jobs: to - from + 1, tables, unended };
  }
}

const ALL_TABLES = Object.values(TABLES);

type WriteRow = <Row>(table: Table<Row>, row: Row) => void;

function writeJob(write: WriteRow, job: PlannedJob, now: number): void {
  for (const event of eventsOf(job)) write(TABLES.event, event);
  write(TABLES.job, job);
  for (const label of job.labels ?? []) write(TABLES.label, { job, label });
  if (job.endedAt === null) write(TABLES.queue, job);
  if (job.hasOutput) write(TABLES.output, job);
  const hasLivingKeys = job.at > now - KEY_LIFE_MS;
  if (job.key !== null && hasLivingKeys) write(TABLES.key, job);
  const { asset } = job;
  if (asset === null) return;
  write(TABLES.blob, { job, asset });
  write(TABLES.asset, { job, asset });
  if (!job.hasOutput && hasLivingKeys) write(TABLES.uploadKey, { job, asset });
}
