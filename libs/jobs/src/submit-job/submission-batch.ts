import { setTimeout as delay } from 'node:timers/promises';
import { jobsFailpoint } from '../failpoints.js';
import type { Pool, PoolClient } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';
import type { JobsSettings } from '../jobs-settings.js';
import { isConnectionLoss, isLockTimeout } from '@heddle/platform-database';
import { createdJobsSql, openAccountSql, probeKeySql } from './submission.sql.js';
import type { SubmissionRow } from './submission.sql.js';
import { batchStatement, loneStatement } from './submission-statement.js';
import type { SubmissionItem } from './submission-statement.js';

export type SubmissionVerdict =
  | {
      readonly kind: 'created';
      readonly createdAtMs: number;
      /** Place in the claim order; exact where nobody else waits, else the last one. */
      readonly place: number;
      readonly exact: boolean;
    }
  | { readonly kind: 'key_reuse' }
  | { readonly kind: 'queue_full' }
  | { readonly kind: 'unknown' };

const UNKNOWN_COMMIT_WAIT_MS = 2_000;
const ALONE_ATTEMPTS = 5;

/** Writes batches of submissions; every item gets its own verdict, whatever happens to its neighbours. */
export class SubmissionBatch {
  constructor(
    private readonly pool: Pool,
    private readonly settings: JobsSettings,
  ) {}

  async write(items: readonly SubmissionItem[]): Promise<readonly SubmissionVerdict[]> {
    try {
      return await this.#statement(items);
    } catch (error) {
      if (isConnectionLoss(error)) return await this.#lookUp(items);
      if (items.length === 1) return [await this.#alone(items[0]!, error)];
      return await Promise.all(items.map(async (item) => (await this.write([item]))[0]!));
    }
  }

  async #statement(items: readonly SubmissionItem[]): Promise<readonly SubmissionVerdict[]> {
    const rows = await this.#rows(items);
    const verdicts = verdictsOf(rows, items);
    if (!rows.some((row) => row.verdict === 'unknown_account')) return verdicts;
    await this.#openAccounts(items);
    const again = items.filter((_, index) => rows[index]!.verdict === 'unknown_account');
    const late = [...(await this.#statement(again))];
    return rows.map((row, index) => (row.verdict === 'unknown_account' ? late.shift()! : verdicts[index]!));
  }

  async #rows(items: readonly SubmissionItem[]): Promise<readonly SubmissionRow[]> {
    jobsFailpoint('jobs.submit.before-statement');
    const lone = items.length === 1 ? items[0] : undefined;
    const statement = lone === undefined ? batchStatement(items, this.settings) : loneStatement(lone, this.settings);
    const { rows } = await this.pool.query<SubmissionRow>(statement);
    jobsFailpoint('jobs.submit.after-commit');
    return rows.sort((one, other) => one.ord - other.ord);
  }

  async #openAccounts(items: readonly SubmissionItem[]): Promise<void> {
    const pairs = new Set(
      items.flatMap(({ deploymentId, accountId }) => [
        `${deploymentId} ${accountId}`,
        `${deploymentId} ${WHOLE_DEPLOYMENT}`,
      ]),
    );
    const split = [...pairs].map((pair) => pair.split(' '));
    const columns = [plainArray(split.map(([one]) => one!)), plainArray(split.map(([, two]) => two!))];
    await this.pool.query(openAccountSql, columns);
  }

  /** A batch of one that failed: a rival may hold its key, or another lock was slow. */
  async #alone(item: SubmissionItem, first: unknown): Promise<SubmissionVerdict> {
    let error = first;
    for (let attempt = 1; attempt <= ALONE_ATTEMPTS; attempt++) {
      if (isConnectionLoss(error)) return (await this.#lookUp([item]))[0]!;
      if (!isLockTimeout(error)) throw error;
      if (await this.#isKeyContended(item)) return { kind: 'key_reuse' };
      try {
        return (await this.#statement([item]))[0]!;
      } catch (next) {
        error = next;
      }
    }
    throw error;
  }

  /** A key in a rival's open transaction: the later of the two is refused (api-v2, Idempotency rules 2). */
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

  /** The connection broke between the statement and its answer: the ids that exist were committed. */
  async #lookUp(items: readonly SubmissionItem[]): Promise<readonly SubmissionVerdict[]> {
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
    return items.map(({ jobId }) => {
      const createdAtMs = found.get(jobId);
      return createdAtMs === undefined ? { kind: 'unknown' } : { kind: 'created', createdAtMs, place: 1, exact: false };
    });
  }
}

/** Batches count from the same depth: the place of a job is after those of its account that were created before it. */
function verdictsOf(rows: readonly SubmissionRow[], items: readonly SubmissionItem[]): readonly SubmissionVerdict[] {
  const created = new Map<string, number>();
  return rows.map((row, index) => {
    if (row.verdict === 'queue_full') return { kind: 'queue_full' };
    if (row.verdict !== 'created') return { kind: 'key_reuse' };
    const { accountId, deploymentId } = items[index]!;
    const account = `${deploymentId} ${accountId}`;
    const rank = (created.get(account) ?? 0) + 1;
    created.set(account, rank);
    const others = row.deployment_waiting - row.account_waiting;
    const place = row.account_waiting + rank + others;
    return { kind: 'created', createdAtMs: Number(row.now), place, exact: others === 0 };
  });
}
