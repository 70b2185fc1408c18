import { Inject, Injectable } from '@nestjs/common';
import type { JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { jobsFailpoint } from '../failpoints.js';
import { isConnectionLoss } from '@heddle/platform-database';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { JobsSettings } from '../settings.js';
import { LogFormat } from '../notify-peers/log-format.js';
import { queueChangeOf } from './change-plan.js';
import type { CommitItem } from './change-plan.js';
import { changesCall, leasesCall } from './statement-calls.js';
import { JOBS_POOL } from '../jobs-connections.js';

export type CommitVerdict =
  | { readonly kind: 'committed'; readonly recordedAt: string }
  /** Another writer was first: load and decide again. */
  | { readonly kind: 'conflict' }
  /** A lease that the limits of its account or its deployment do not allow as it was planned. */
  | { readonly kind: 'held' }
  /** The connection broke: only the log shows whether it was committed. */
  | { readonly kind: 'unknown'; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Result of jobs.commit_changes and jobs.lease_jobs. */
interface CommittedRow {
  /** Epoch milliseconds: `recorded_at` of every event of the batch. */
  readonly now_ms: string;
  /** Ids of committed jobs; null if none was. */
  readonly committed: readonly string[] | null;
  /** Of leases: the jobs that may be leased now, null in the place of each other one; absent: all. */
  readonly allowed?: readonly (string | null)[];
}

/**
 * Writes a batch's leases with one statement and its other changes with another; if one fails, its items run one by
 * one.
 */
@Injectable()
export class CommitBatch {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    private readonly metrics: JobsMetrics,
    private readonly format: LogFormat,
  ) {}

  /** Returns one verdict per item, in order. */
  async write(items: readonly CommitItem[]): Promise<readonly CommitVerdict[]> {
    const [leases, changes] = [items.filter(isLease), items.filter((item) => !isLease(item))];
    if (leases.length === 0 || changes.length === 0) return await this.#alike(items);
    const verdicts = await Promise.all([this.#alike(leases), this.#alike(changes)]);
    const next = verdicts.map((of) => of.values());
    return items.map((item) => next[isLease(item) ? 0 : 1]!.next().value!);
  }

  async #alike(items: readonly CommitItem[]): Promise<readonly CommitVerdict[]> {
    try {
      this.format.assertAllowed(items.flatMap(({ plan }) => plan.events.map(({ event }) => event.type)));
      return await this.#statement(this.format.allows('JobFailed', 2) ? items : items.map(withoutNodeRun));
    } catch (error) {
      if (isConnectionLoss(error)) return items.map(() => ({ kind: 'unknown', error }));
      if (items.length === 1) return [{ kind: 'failed', error }];
      return await Promise.all(items.map(async (item) => (await this.#alike([item]))[0]!));
    }
  }

  async #statement(items: readonly CommitItem[]): Promise<readonly CommitVerdict[]> {
    jobsFailpoint('jobs.commit.before-statement');
    // The order in which queue rows are locked.
    const ordered = [...items].sort((one, other) => (one.jobId < other.jobId ? -1 : 1));
    const call = isLease(items[0]!) ? leasesCall(ordered, this.settings) : changesCall(ordered, this.settings);
    const { rows } = await this.pool.query<CommittedRow>(call);
    jobsFailpoint('jobs.commit.after-commit');
    const { now_ms, committed, allowed } = rows[0]!;
    const jobIds = new Set(committed);
    const recordedAt = new Date(Number(now_ms)).toISOString();
    const isHeld = (jobId: JobId): boolean => allowed !== undefined && !allowed.includes(jobId);
    const verdicts = items.map(({ jobId }): CommitVerdict => {
      if (jobIds.has(jobId)) return { kind: 'committed', recordedAt };
      return { kind: isHeld(jobId) ? 'held' : 'conflict' };
    });
    this.metrics.conflicts(verdicts.filter(({ kind }) => kind === 'conflict').length);
    return verdicts;
  }
}

function isLease({ plan }: CommitItem): boolean {
  return queueChangeOf(plan) === 'lease';
}

/** The run of a failed node is left out while some replica could not read it. The state does not depend on it. */
function withoutNodeRun(item: CommitItem): CommitItem {
  if (item.plan.events.every(({ event }) => event.type !== 'JobFailed')) return item;
  const events = item.plan.events.map((planned) => {
    const { event } = planned;
    return event.type === 'JobFailed'
      ? { ...planned, event: { ...event, data: { ...event.data, nodeRun: null } } }
      : planned;
  });
  return { ...item, plan: { ...item.plan, events } };
}
