import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountId, TaskId } from '@heddle/contracts-messages';
import { movesOn, nextStep } from '@heddle/partner-proxy-domain';
import type { TaskEvent, VendorName } from '@heddle/partner-proxy-domain';
import { inTransaction } from '@heddle/platform-database';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { Pool } from 'pg';
import type { VendorReport } from '../call-vendors/vendor.js';
import { PROXY_POOL } from '../proxy-pool.js';
import { KEY_LIFE_MS } from './key-life.js';
import type { NewTask, ProxyTask } from './task.js';
import * as sql from './task-rows.sql.js';

/** What a change of state brings about in its transaction. */
interface ChangeEffects {
  readonly body?: ((task: ProxyTask) => string) | null;
  readonly freesKey?: boolean;
}

interface LeftTasks {
  readonly polledMs: number;
  readonly stuckMs: number;
  readonly taskMs: number;
  readonly trustedUntilMs: number | null;
  readonly limit: number;
  /** The task that an earlier look ended with; null: from the oldest. */
  readonly after: TaskId | null;
}

type Known = Pick<ProxyTask, 'taskId' | 'accountId'>;

/** The operation whose keys are apart from those of the others. */
function operationOf(vendor: VendorName): string {
  return vendor === 'video' ? 'multiframe' : 'upscale';
}

/** The rows of tasks. Every change of a step names the step before, so that one process alone makes it. */
@Injectable()
export class Tasks {
  #delivery: () => void = () => undefined;

  constructor(@Inject(PROXY_POOL) private readonly pool: Pool) {}

  /** Called after each commit that wrote a delivery. */
  onDelivery(listener: () => void): void {
    this.#delivery = listener;
  }

  /** When it was made, ISO 8601. Throws for a key that is claimed. */
  async open(task: NewTask): Promise<string> {
    const { taskId, accountId, vendor, price, callbackToken, callbackUrl, key } = task;
    const values = [
      taskId,
      accountId,
      vendor,
      price,
      callbackToken,
      callbackUrl,
      key,
      operationOf(vendor),
      KEY_LIFE_MS,
    ];
    const { rows } = await this.pool.query<{ createdAt: string }>(sql.openTaskSql, values);
    if (rows[0] === undefined) throw registryRefusal('idempotency_key_reuse', { case: 'task' });
    return rows[0].createdAt;
  }

  /** Throws for a key that is claimed: a used key is reported before other faults of the request. */
  async assertUnused(accountId: AccountId, vendor: VendorName, key: string | null): Promise<void> {
    if (key === null) return;
    const values = [accountId, operationOf(vendor), key, KEY_LIFE_MS];
    const { rowCount } = await this.pool.query(sql.isClaimedSql, values);
    if (rowCount !== 0) throw registryRefusal('idempotency_key_reuse', { case: 'task' });
  }

  /** The price is reserved. False: the sweep has given the task up. */
  async beginCall({ taskId, accountId, payload }: NewTask): Promise<boolean> {
    const { rowCount } = await this.pool.query(sql.beginCallSql, [taskId, accountId, payload]);
    return rowCount === 1;
  }

  /** Null: unknown, or of another account. */
  async ofAccount(accountId: AccountId, vendor: VendorName, taskId: string): Promise<ProxyTask | null> {
    const { rows } = await this.pool.query<ProxyTask>(sql.ownTaskSql, [taskId, accountId, vendor]);
    return rows[0] ?? null;
  }

  async payloadOf({ taskId, accountId }: Known): Promise<string> {
    const { rows } = await this.pool.query<{ payload: string }>(sql.ownPayloadSql, [taskId, accountId]);
    return rows[0]?.payload ?? '';
  }

  async again({ taskId, accountId }: Known): Promise<ProxyTask> {
    const { rows } = await this.pool.query<ProxyTask>(sql.knownTaskSql, [taskId, accountId]);
    return rows[0]!;
  }

  /** Null: no task has a callback with this token. */
  async calledBack(vendor: VendorName, token: string): Promise<ProxyTask | null> {
    const { rows } = await this.pool.query<ProxyTask>(sql.calledBackSql, [token, vendor]);
    return rows[0] ?? null;
  }

  /** False: another process has noted it. */
  async noteSettled({ taskId, accountId }: Known): Promise<boolean> {
    const { rowCount } = await this.pool.query(sql.noteSettledSql, [taskId, accountId]);
    return rowCount === 1;
  }

  /** False: the sweep has given the task up. */
  async noteVendor({ taskId, accountId }: Known, vendorTaskId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(sql.noteVendorSql, [taskId, accountId, vendorTaskId]);
    return rowCount === 1;
  }

  /** False: the vendor was asked a moment ago, by whatever replica. */
  async claimPoll({ taskId, accountId }: Known, pollMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(sql.claimPollSql, [taskId, accountId, pollMs]);
    return rowCount === 1;
  }

  /**
   * Changes the state if the event counts at the step of the locked row and moves its state on, and writes the delivery
   * in the same transaction. `body`: what the client's callback gets; null: no callback is sent. `freesKey`: the
   * request failed for certain, its key may be used again.
   */
  async change(
    known: Known,
    report: VendorReport,
    event: TaskEvent,
    { body = null, freesKey = false }: ChangeEffects,
  ): Promise<ProxyTask | null> {
    const changed = await inTransaction(this.pool, async (client) => {
      const { taskId, accountId } = known;
      const { rows } = await client.query<ProxyTask>(sql.lockedTaskSql, [taskId, accountId]);
      const task = rows[0]!;
      const step = nextStep(task.step, event);
      const { state, errCode, creations } = report;
      if (step === null || !movesOn(task.state, state)) return null;
      const changed: ProxyTask = { ...task, state, errCode, creations, step };
      if (freesKey) await client.query(sql.releaseKeySql, [accountId, taskId]);
      await client.query(sql.changeStateSql, [taskId, accountId, state, errCode, JSON.stringify(creations), step]);
      if (body !== null && task.callbackUrl !== null) {
        const values = [randomUUID(), taskId, accountId, task.callbackUrl, body(changed)];
        await client.query(sql.deliverSql, values);
      }
      return changed;
    });
    if (changed !== null && body !== null && changed.callbackUrl !== null) this.#delivery();
    return changed;
  }

  /** `polledMs`: not asked about for so long. `stuckMs`: no step for so long. `taskMs`: older than a task may be. */
  async left({ polledMs, stuckMs, taskMs, trustedUntilMs, limit, after }: LeftTasks): Promise<readonly ProxyTask[]> {
    const values = [polledMs, stuckMs, limit, taskMs, after, trustedUntilMs];
    const { rows } = await this.pool.query<ProxyTask>(sql.leftTasksSql, values);
    return rows;
  }
}
