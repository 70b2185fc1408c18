import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { poolKey, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentId, PolledPool, WorkerPoolsPort } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { DEPLOYMENTS_POOL } from '../deployments-pool.js';
import { GONE_MS, WRITE_MS } from './seen-pools.js';
import type { PoolChanges } from './seen-pools.js';
import { aliveSql, changedPoolsSql, leaveSql, poolsSql, presentSql, removeOldSql } from './worker-presence.sql.js';
import type { ChangedPoolsRow } from './worker-presence.sql.js';

const REMOVE_MS = 3_600_000;

/** Which pools have workers, at every jobs replica. */
@Injectable()
export class WorkerPresence {
  /** Names this process among the replicas. */
  readonly replica = randomUUID();
  /** The pools of this process as other replicas see them. */
  #written = new Map<string, PolledPool>();
  #writtenAt = Number.NEGATIVE_INFINITY;
  #removedAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(DEPLOYMENTS_POOL) private readonly pool: Pool,
    @Inject(WORKER_POOLS_PORT) private readonly own: WorkerPoolsPort,
  ) {}

  /** Writes where other replicas see it: that this one is there, every two seconds, and its pools that changed, at once. */
  async write(): Promise<void> {
    const at = performance.now();
    if (at - this.#writtenAt >= WRITE_MS) {
      const { rows } = await this.pool.query<{ is_new: boolean }>(aliveSql, [this.replica]);
      if (rows[0]!.is_new) this.#written = new Map();
      this.#writtenAt = at;
    }
    const pools = new Map(this.own.pools().map((pool) => [poolKey(pool), pool]));
    const changed = [...pools].filter(([key, { workers }]) => this.#written.get(key)?.workers !== workers);
    const left = [...this.#written].filter(([key]) => !pools.has(key));
    const rows = [...changed.map(([, pool]) => pool), ...left.map(([, pool]) => ({ ...pool, workers: 0 }))];
    if (rows.length > 0) {
      await this.pool.query(poolsSql, [
        this.replica,
        rows.map(({ deploymentId }) => deploymentId),
        rows.map(({ revision }) => revision),
        rows.map(({ workers }) => workers),
      ]);
      this.#written = pools;
    }
    if (at - this.#removedAt < REMOVE_MS) return;
    await this.pool.query(removeOldSql);
    this.#removedAt = at;
  }

  /** What changed since `after`, the `next` of an answer before; null: everything. */
  async changes(after: string | null): Promise<PoolChanges> {
    // Without a name, so that it is planned for its value: few rows are as new.
    const { rows } = await this.pool.query<ChangedPoolsRow>(changedPoolsSql, [after ?? '0']);
    const { next, now, replicas } = rows[0]!;
    const pools = rows.flatMap((row) => (row.replica_id === null ? [] : [{ ...row, replica_id: row.replica_id }]));
    return { next, now, replicas: new Map(Object.entries(replicas ?? {})), pools };
  }

  /** The workers of these deployments, at every replica. */
  async of(deploymentIds: readonly DeploymentId[]): Promise<readonly PolledPool[]> {
    const { rows } = await this.pool.query<{ deployment_id: string; revision: number; workers: number }>(presentSql, [
      deploymentIds,
      GONE_MS,
    ]);
    return rows.map(({ deployment_id: id, ...counts }) => ({ deploymentId: id as DeploymentId, ...counts }));
  }

  /** True while a job of the deployment has not ended. */
  async hasJobs(deploymentId: DeploymentId): Promise<boolean> {
    return (await this.own.openJobs([deploymentId])).length > 0;
  }

  /** Other replicas do not wait for the rows of one that stops. */
  async leave(): Promise<void> {
    await this.pool.query(leaveSql, [this.replica]);
  }
}
