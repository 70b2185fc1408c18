import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentId, PolledPool, WorkerPoolsPort } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { DEPLOYMENTS_POOL } from '../deployments-pool.js';
import { presentSql, presenceSql, removeOldSql } from './worker-presence.sql.js';
import type { PresenceRow } from './worker-presence.sql.js';

/** A replica writes its pools so often while nothing changes, and is gone after three times of it. */
const WRITE_MS = 2_000;
const GONE_MS = 3 * WRITE_MS;

export interface SeenPool extends PolledPool {
  /** Since a worker of it was heard of last, at any replica. */
  readonly silentMs: number;
}

/** Which pools have workers, at every jobs replica. */
@Injectable()
export class WorkerPresence {
  readonly #replica = randomUUID();
  #written = '';
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(DEPLOYMENTS_POOL) private readonly pool: Pool,
    @Inject(WORKER_POOLS_PORT) private readonly own: WorkerPoolsPort,
  ) {}

  /** Writes the pools of this process where other replicas see them: at once if they changed. */
  async write(): Promise<void> {
    const pools = this.own.pools();
    const text = JSON.stringify(pools);
    if (text === this.#written && performance.now() - this.#writtenAt < WRITE_MS) return;
    await this.pool.query(presenceSql, [
      this.#replica,
      pools.map(({ deploymentId }) => deploymentId),
      pools.map(({ revision }) => revision),
      pools.map(({ workers }) => workers),
    ]);
    await this.pool.query(removeOldSql);
    this.#written = text;
    this.#writtenAt = performance.now();
  }

  async all(): Promise<readonly SeenPool[]> {
    const { rows } = await this.pool.query<PresenceRow>(presentSql, [GONE_MS]);
    return rows.map((row) => ({
      deploymentId: row.deployment_id as DeploymentId,
      revision: row.revision,
      workers: row.workers,
      silentMs: row.silent_ms,
    }));
  }

  /** True while a job of the deployment has not ended. */
  async hasJobs(deploymentId: DeploymentId): Promise<boolean> {
    return (await this.own.openJobs([deploymentId])).length > 0;
  }

  /** Other replicas do not wait for the rows of one that stops. */
  async leave(): Promise<void> {
    await this.pool.query('update deployments.pool set workers = 0 where replica_id = $1', [this.#replica]);
  }
}
