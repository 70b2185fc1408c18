import { JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import type { Pool } from 'pg';
import { jobsFailpoint } from '../failpoints.js';
import { ByteArena, plainArray } from '../group-commit/byte-arena.js';
import { isConnectionLoss } from '@heddle/platform-database';
import type { JobsMetrics } from '../jobs-metrics.js';
import type { JobsSettings } from '../jobs-settings.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import type { LogFormat } from '../tell-peers/log-format.js';
import { newOutputs, queueChangeOf, retryDelayMs, shown } from './change-plan.js';
import type { CommitItem } from './change-plan.js';
import { eventColumns, outputColumns } from './statement-columns.js';
import { commitStatement } from './commit.sql.js';
import type { CommittedRow } from './commit.sql.js';
import { loneStatement } from './lone-statement.js';

export type CommitVerdict =
  | { readonly kind: 'committed'; readonly recordedAt: string }
  /** Another writer was first: load, decide again. */
  | { readonly kind: 'conflict' }
  /** The connection broke: whether it was committed stands in the log. */
  | { readonly kind: 'unknown'; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Writes batches of changes with one statement; where it fails, each item runs alone and gets its own verdict. */
export class CommitBatch {
  constructor(
    private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly metrics: JobsMetrics,
    private readonly format: LogFormat,
  ) {}

  async write(items: readonly CommitItem[]): Promise<readonly CommitVerdict[]> {
    try {
      this.format.assertAllowed(items.flatMap(({ plan }) => plan.events.map(({ event }) => event.type)));
      return await this.#statement(items);
    } catch (error) {
      if (isConnectionLoss(error)) return items.map(() => ({ kind: 'unknown', error }));
      if (items.length === 1) return [{ kind: 'failed', error }];
      return await Promise.all(items.map(async (item) => (await this.write([item]))[0]!));
    }
  }

  async #statement(items: readonly CommitItem[]): Promise<readonly CommitVerdict[]> {
    jobsFailpoint('jobs.commit.before-statement');
    const rows = await this.#rows(items);
    jobsFailpoint('jobs.commit.after-commit');
    const verdicts: CommitVerdict[] = items.map(() => ({ kind: 'conflict' }));
    for (const { item, now } of rows) {
      verdicts[Number(item) - 1] = { kind: 'committed', recordedAt: new Date(Number(now)).toISOString() };
    }
    this.metrics.conflicts(items.length - rows.length);
    return verdicts;
  }

  async #rows(items: readonly CommitItem[]): Promise<readonly CommittedRow[]> {
    const lone = items.length === 1 ? loneStatement(items[0]!, this.settings) : null;
    if (lone !== null) return (await this.pool.query<CommittedRow>(lone)).rows;
    const arena = new ByteArena();
    const values = [...itemColumns(items, this.settings), JOB_EVENT_SCHEMA_VERSION, ...eventColumns(items, arena)];
    const { leaseMs, cancelGraceMs } = this.settings;
    const outputs = items.some(({ plan }) => newOutputs(plan).length > 0) ? outputColumns(items, arena) : [];
    const changes = items.map(({ plan }) => queueChangeOf(plan));
    const parts = {
      outputs: outputs.length > 0,
      moves: changes.some((change) => change !== 'end'),
      ends: changes.includes('end'),
      counts: changes.some((change) => change === 'lease' || change === 'requeue' || change === 'end'),
    };
    const answer = await this.pool.query<CommittedRow>({
      ...commitStatement(parts),
      values: [...values, arena.bytes(), leaseMs, cancelGraceMs, ...outputs],
    });
    return answer.rows;
  }
}

function itemColumns(items: readonly CommitItem[], settings: JobsSettings): readonly unknown[] {
  const rows = items.map(({ jobId, plan }) => {
    const after = shown(plan.after);
    const before = shown(plan.before);
    return {
      jobId,
      plan,
      after,
      change: queueChangeOf(plan),
      progress: after.facts.progress === before.facts.progress ? null : after.facts.progress,
      lease: after.status === 'running' || after.status === 'canceling' ? after.lease : null,
    };
  });
  const eventsBefore = runningTotals(items.map(({ plan }) => plan.events.length));
  return [
    plainArray(rows.map((row) => row.jobId)),
    plainArray(rows.map((row) => versionOf(row.plan.before))),
    plainArray(rows.map((row) => row.after.status)),
    plainArray(rows.map((row) => row.after.facts.version)),
    plainArray(rows.map((row) => row.after.facts.fence)),
    rows.map((row) => (row.progress === null ? null : JSON.stringify(row.progress))),
    rows.map((row) => (row.after.status === 'failed' ? JSON.stringify(row.after.error) : null)),
    plainArray(rows.map((row) => row.change)),
    rows.map((row) => row.lease?.workerId ?? null),
    plainArray(rows.map((row) => row.lease?.maxRuntimeMs ?? 0)),
    plainArray(rows.map((row) => row.after.facts.submission.maxQueueWaitMs)),
    plainArray(rows.map((row) => retryDelayMs(row.plan, settings))),
    rows.map((row) => row.plan.events[0]?.correlation ?? null),
    rows.map((row) => row.after.facts.submission.traceparent),
    plainArray(rows.map((_, index) => eventsBefore[index]! + 1)),
    plainArray(rows.map((row, index) => eventsBefore[index]! + row.plan.events.length)),
  ];
}

function runningTotals(lengths: readonly number[]): readonly number[] {
  let total = 0;
  return lengths.map((length) => (total += length) - length);
}
