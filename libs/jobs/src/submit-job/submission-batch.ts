import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isWithoutPartition, LogPartitions } from '../age-log/log-partitions.js';
import { jobsFailpoint } from '../failpoints.js';
import type { Pool, PoolClient } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { countersOf } from '../group-commit/queue-counters.js';
import { JobsSettings } from '../settings.js';
import { isConnectionLoss, isDuplicate, isLockTimeout } from '@heddle/platform-database';
import { createdJobsSql, openAccountSql, probeKeySql, storedJobSql, underWaySql } from './submission.sql.js';
import { submissionStatement } from './submission-statement.js';
import type { SubmissionItem } from './submission-statement.js';
import { JOBS_POOL } from '../jobs-connections.js';

export type BatchVerdict =
  | {
      readonly kind: 'created';
      readonly createdAtMs: number;
      /** Position in the claim order; exact if no other account waits, otherwise the last position. */
      readonly position: number;
      /** Rank among the waiting jobs of its account; null if the connection broke. */
      readonly rank: number | null;
      /** When it was leased with its submission, null if it was not; unknown if the connection broke. */
      readonly leasedAtMs: number | null | 'unknown';
    }
  /** The job was there already, by the same submission. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'key_reuse' }
  | { readonly kind: 'queue_full' }
  /** The revision takes no jobs any more. */
  | { readonly kind: 'revision_closed' }
  /** The terms of the deployment are not those that the submission was planned with. */
  | { readonly kind: 'terms_changed' }
  | { readonly kind: 'insufficient_credits'; readonly required: number; readonly balance: number }
  | { readonly kind: 'unknown' };

/** Result of jobs.submit_jobs and jobs.submit_priced_jobs: one element per item. */
interface SubmittedRow {
  /** Epoch milliseconds of the database clock. */
  readonly now_ms: string;
  readonly verdicts: readonly (
    | 'created'
    | 'repeated'
    | 'key_reuse'
    | 'queue_full'
    | 'unknown_account'
    | 'terms_changed'
    | 'insufficient_credits'
    | 'revision_closed'
  )[];
  readonly account_waiting: readonly number[];
  readonly deployment_waiting: readonly number[];
  /** Of jobs.submit_priced_jobs: what the account had. */
  readonly balances?: readonly string[];
  /** The leased job and its time; absent or null if none was leased. */
  readonly leased?: string | null;
  readonly leased_ms?: string;
}

const UNKNOWN_COMMIT_WAIT_MS = 2_000;
const ALONE_ATTEMPTS = 5;
/** For the same submission in another transaction to end: its caller waits a little longer. */
const REPETITION_WAIT_MS = 10_000;

/** Writes batches of submissions; every item gets its own verdict, independent of the others. */
@Injectable()
export class SubmissionBatch {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly settings: JobsSettings,
    @Inject(LogPartitions) private readonly partitions: Pick<LogPartitions, 'cover'>,
  ) {}

  async write(items: readonly SubmissionItem[], isCovered = false): Promise<readonly BatchVerdict[]> {
    try {
      return await this.#statement(items);
    } catch (error) {
      if (isConnectionLoss(error)) return await this.#lookUp(items);
      if (isWithoutPartition(error) && !isCovered) {
        await this.partitions.cover(items.map(({ jobId }) => jobId));
        return await this.write(items, true);
      }
      // A failing lease must not cause a submission to be refused.
      if (items.some(({ lease }) => lease !== null)) return await this.write(items.map(withoutLease));
      if (items.length === 1) return [await this.#alone(items[0]!, error)];
      return await Promise.all(items.map(async (item) => (await this.write([item]))[0]!));
    }
  }

  async #statement(items: readonly SubmissionItem[]): Promise<readonly BatchVerdict[]> {
    jobsFailpoint('jobs.submit.before-statement');
    const { rows } = await this.pool.query<SubmittedRow>(submissionStatement(items, this.settings));
    jobsFailpoint('jobs.submit.after-commit');
    const row = rows[0]!;
    const again = items.filter((_, index) => row.verdicts[index] === 'unknown_account');
    if (again.length === 0) return items.map((_, index) => verdictOf(row, index, items[index]!));
    await this.#openAccounts(again);
    const late = [...(await this.#statement(again))];
    return items.map((_, index) =>
      row.verdicts[index] === 'unknown_account' ? late.shift()! : verdictOf(row, index, items[index]!),
    );
  }

  async #openAccounts(items: readonly SubmissionItem[]): Promise<void> {
    const { deploymentIds, accountIds } = countersOf(items);
    await this.pool.query(openAccountSql, [plainArray(deploymentIds), plainArray(accountIds)]);
  }

  /** A batch of one failed: a concurrent transaction may hold its key, or another lock was slow. */
  async #alone(item: SubmissionItem, first: unknown): Promise<BatchVerdict> {
    let error = first;
    const deadline = performance.now() + REPETITION_WAIT_MS;
    for (let attempt = 1; ; attempt++) {
      if (isConnectionLoss(error)) return (await this.#lookUp([item]))[0]!;
      if (isDuplicate(error) && (await this.#isStored(item))) return { kind: 'repeated' };
      if (!isLockTimeout(error)) throw error;
      const isRepetition = await this.#isUnderWay(item);
      if (!isRepetition && (await this.#isKeyContended(item))) return { kind: 'key_reuse' };
      if (isRepetition ? performance.now() > deadline : attempt > ALONE_ATTEMPTS) throw error;
      try {
        return (await this.#statement([item]))[0]!;
      } catch (next) {
        error = next;
      }
    }
  }

  async #isStored({ jobId, accountId }: SubmissionItem): Promise<boolean> {
    return (await this.pool.query(storedJobSql, [jobId, accountId])).rowCount === 1;
  }

  /** The same submission, which its caller repeats, in a transaction of another replica. */
  async #isUnderWay({ jobId }: SubmissionItem): Promise<boolean> {
    return (await this.pool.query<{ isUnderWay: boolean }>(underWaySql, [jobId])).rows[0]!.isUnderWay;
  }

  /** The key is in a concurrent open transaction: the later submission is refused (api-v2, Idempotency rules 2). */
  async #isKeyContended(item: SubmissionItem): Promise<boolean> {
    if (item.key === null) return false;
    const client: PoolClient = await this.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('lock_timeout', '${this.settings.batchLockTimeoutMs}ms', true)`);
      await client.query(probeKeySql, [item.accountId, item.key, item.jobId]);
      return false;
    } catch (error) {
      if (isLockTimeout(error)) return true;
      throw error;
    } finally {
      await client.query('rollback').catch(() => undefined);
      client.release();
    }
  }

  /** The connection broke between statement and answer: the ids that exist were committed. */
  async #lookUp(items: readonly SubmissionItem[]): Promise<readonly BatchVerdict[]> {
    const found = new Map<string, number>();
    const deadline = performance.now() + UNKNOWN_COMMIT_WAIT_MS;
    for (;;) {
      try {
        const values = [plainArray(items.map((item) => item.jobId))];
        const { rows } = await this.pool.query<{ id: string; now: string }>(createdJobsSql, values);
        for (const row of rows) found.set(row.id, Number(row.now));
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
      }
      if (found.size === items.length || performance.now() > deadline) break;
      await delay(50);
    }
    return items.map(({ jobId, lease }) => {
      const createdAtMs = found.get(jobId);
      if (createdAtMs === undefined) return { kind: 'unknown' };
      const leasedAtMs = lease === null ? null : 'unknown';
      return { kind: 'created', createdAtMs, position: 1, rank: null, leasedAtMs };
    });
  }
}

function withoutLease(item: SubmissionItem): SubmissionItem {
  return { ...item, lease: null };
}

/** The position is behind all jobs that waited before; exact only if no other account has any (see QueuePositions). */
function verdictOf(row: SubmittedRow, index: number, { jobId, terms }: SubmissionItem): BatchVerdict {
  const kind = row.verdicts[index]!;
  if (kind === 'queue_full' || kind === 'repeated' || kind === 'terms_changed' || kind === 'revision_closed')
    return { kind };
  if (kind === 'insufficient_credits') {
    return { kind, required: terms?.reserved ?? 0, balance: Number(row.balances?.[index] ?? 0) };
  }
  if (kind !== 'created') return { kind: 'key_reuse' };
  const position = row.deployment_waiting[index]! + 1;
  const rank = row.account_waiting[index]! + 1;
  const leasedAtMs = row.leased === jobId ? Number(row.leased_ms) : null;
  return { kind, createdAtMs: Number(row.now_ms), position, rank, leasedAtMs };
}
