import { JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import type { Pool, QueryConfig } from 'pg';
import { jobsFailpoint } from '../failpoints.js';
import { ByteArena, callOf, plainArray } from '../group-commit/byte-arena.js';
import { countersOf } from '../group-commit/queue-counters.js';
import { isConnectionLoss } from '@heddle/platform-database';
import type { JobsMetrics } from '../jobs-metrics.js';
import type { JobsSettings } from '../jobs-settings.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import type { LogFormat } from '../tell-peers/log-format.js';
import { queueChangeOf, queueStepOf, retryDelayMs, shown } from './change-plan.js';
import type { CommitItem } from './change-plan.js';
import { eventColumns, outputColumns } from './statement-columns.js';

export type CommitVerdict =
  | { readonly kind: 'committed'; readonly recordedAt: string }
  /** Another writer was first: load, decide again. */
  | { readonly kind: 'conflict' }
  /** The connection broke: whether it was committed stands in the log. */
  | { readonly kind: 'unknown'; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What jobs.commit_changes answers. */
interface CommittedRow {
  /** Epoch milliseconds: `recorded_at` of every event of the batch. */
  readonly now_ms: string;
  /** Ids of jobs; null where no item was committed. */
  readonly committed: readonly string[] | null;
}

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
    const { rows } = await this.pool.query<CommittedRow>(this.#call(items));
    jobsFailpoint('jobs.commit.after-commit');
    const { now_ms, committed } = rows[0]!;
    const jobIds = new Set(committed);
    const recordedAt = new Date(Number(now_ms)).toISOString();
    this.metrics.conflicts(items.length - jobIds.size);
    return items.map(({ jobId }) => (jobIds.has(jobId) ? { kind: 'committed', recordedAt } : { kind: 'conflict' }));
  }

  #call(batch: readonly CommitItem[]): QueryConfig {
    // The order in which queue rows are locked.
    const items = [...batch].sort((one, other) => (one.jobId < other.jobId ? -1 : 1));
    const arena = new ByteArena();
    const counters = countersOf(items);
    const columns = [
      plainArray(counters.deploymentIds),
      plainArray(counters.accountIds),
      plainArray(counters.accounts),
      plainArray(counters.deployments),
      ...itemColumns(items, this.settings),
      ...eventColumns(items, arena),
      ...outputColumns(items, arena),
    ];
    const { leaseMs, cancelGraceMs } = this.settings;
    const values = [leaseMs, cancelGraceMs, JOB_EVENT_SCHEMA_VERSION, arena.bytes(), ...columns];
    return { name: 'commit-changes', text: callOf('jobs.commit_changes', values.length), values };
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
    plainArray(rows.map((row) => queueStepOf(row.plan).waiting)),
    plainArray(rows.map((row) => queueStepOf(row.plan).running)),
    plainArray(rows.map((_, index) => eventsBefore[index]! + 1)),
    plainArray(rows.map((row, index) => eventsBefore[index]! + row.plan.events.length)),
  ];
}

function runningTotals(lengths: readonly number[]): readonly number[] {
  let total = 0;
  return lengths.map((length) => (total += length) - length);
}
