import type { ClientBase, Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { JOB_COLUMNS, JOB_TEXTS, jobRow, outputRows } from './read-model-row.js';
import type { ReadModelRow } from './read-model-row.js';
import { replayJobs } from './replay-jobs.js';
import type { ReplayedJob } from './replay-jobs.js';
import { strayQueueSql } from './queue-check.sql.js';

export interface ReadModelReport {
  readonly events: number;
  readonly jobs: number;
  readonly outputs: number;
  /** Empty: the read model is, byte for byte, what the log gives. At most 20 are told. */
  readonly differences: readonly string[];
}

const MOST_DIFFERENCES = 20;
const BATCH = 1_000;

/**
 * Replays the log from zero and holds the read model against it, row by row, in one snapshot: nothing is written, no
 * transaction id is taken, and the service may go on working meanwhile.
 */
export async function verifyReadModel(pool: Pool): Promise<ReadModelReport> {
  const client = await pool.connect();
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    await client.query(
      `select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
    );
    const comparison = new Comparison(client);
    for await (const step of replayJobs(client)) await comparison.take(step.events, step.jobs, step.purged);
    return await comparison.report();
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

class Comparison {
  readonly #pending = new Map<string, ReplayedJob>();
  readonly #differences: string[] = [];
  #events = 0;
  #jobs = 0;
  #outputs = 0;

  constructor(private readonly client: ClientBase) {}

  async take(events: number, jobs: readonly ReplayedJob[], purged: readonly string[]): Promise<void> {
    this.#events += events;
    for (const job of jobs) this.#pending.set(job.jobId, job);
    for (const jobId of purged) this.#pending.delete(jobId);
    if (this.#pending.size >= BATCH) await this.#flush();
  }

  async report(): Promise<ReadModelReport> {
    await this.#flush();
    await this.#checkTotal('job', this.#jobs);
    await this.#checkTotal('job_output', this.#outputs);
    const { rows } = await this.client.query<{ trouble: string }>(strayQueueSql);
    for (const { trouble } of rows) this.#differ(trouble);
    return { events: this.#events, jobs: this.#jobs, outputs: this.#outputs, differences: this.#differences };
  }

  async #flush(): Promise<void> {
    const jobs = [...this.#pending.values()];
    this.#pending.clear();
    const ids = plainArray(jobs.map((job) => job.jobId));
    const shown = await this.#texts(`select ${JOB_TEXTS} from jobs.job j where j.id = any($1::uuid[])`, ids, 1);
    const outputs = await this.#texts(outputsSql, ids, 2);
    for (const job of jobs) {
      const found = shown.get(job.jobId);
      if (found === undefined && (await this.#isPurged(job.jobId))) continue;
      this.#jobs += 1;
      this.#compare(`job ${job.jobId}`, jobRow(job), found);
      for (const row of outputRows(job)) {
        this.#outputs += 1;
        this.#compare(`output ${row[1]} of job ${job.jobId}`, row, outputs.get(`${row[0]} ${row[1]}`));
      }
    }
  }

  async #texts(sql: string, ids: string, keyWidth: number): Promise<Map<string, ReadModelRow>> {
    const { rows } = await this.client.query<(string | null)[]>({ text: sql, values: [ids], rowMode: 'array' });
    return new Map(rows.map((row) => [row.slice(0, keyWidth).join(' '), row]));
  }

  /** A page may end between a job's end and its purge. */
  async #isPurged(jobId: string): Promise<boolean> {
    const text = `select from jobs.event where stream_id = $1 and type = 'JobPurged'`;
    return (await this.client.query({ name: 'is-purged', text, values: [jobId] })).rowCount !== 0;
  }

  #compare(what: string, wanted: ReadModelRow, found: ReadModelRow | undefined): void {
    if (found === undefined) return this.#differ(`${what} is missing`);
    wanted.forEach((text, index) => {
      if (text === found[index]) return;
      this.#differ(`${what}: ${JOB_COLUMNS[index] ?? index} is ${found[index]}, the log gives ${text}`);
    });
  }

  async #checkTotal(table: string, wanted: number): Promise<void> {
    const { rows } = await this.client.query<{ n: number }>(`select count(*)::int as n from jobs.${table}`);
    if (rows[0]!.n !== wanted) this.#differ(`${table} has ${rows[0]!.n} rows, the log gives ${wanted}`);
  }

  #differ(difference: string): void {
    if (this.#differences.length < MOST_DIFFERENCES) this.#differences.push(difference);
  }
}

const outputsSql = `
select o.job_id::text, o.ordinal::text, '\\x' || encode(o.key, 'hex'), o.output::text
from jobs.job_output o where o.job_id = any($1::uuid[])`;
