import { Inject, Injectable } from '@nestjs/common';
import type {
  DeploymentId,
  Intake,
  LateLease,
  LimitedDeployment,
  OpenJobs,
  PolledPool,
  WorkerPool,
  WorkerPoolsPort,
} from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { LeaseDispatcher } from '../lease-job/lease-dispatcher.js';
import { limitDeploymentsSql } from '../limit-accounts/limits.sql.js';
import { openJobsSql } from './open-jobs.sql.js';
import type { OpenJobsRow } from './open-jobs.sql.js';
import { PoolMembers } from './pool-members.js';

/** The part of a session in its pool. */
export interface PoolMember {
  /** True: the session gets no leases now. */
  isPaused(): boolean;
  leave(): void;
}

/** The pools of the workers with a session here, and which of them get no work. */
@Injectable()
export class LocalWorkerPools implements WorkerPoolsPort {
  #paused: ReadonlySet<DeploymentId> = new Set();

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly members: PoolMembers,
    private readonly dispatcher: LeaseDispatcher,
  ) {}

  join(pool: WorkerPool): PoolMember {
    return { isPaused: () => this.#paused.has(pool.deploymentId), leave: this.members.join(pool) };
  }

  pools(): readonly PolledPool[] {
    return this.members.pools();
  }

  waitingWorkers(): ReadonlyMap<DeploymentId, number> {
    return this.dispatcher.waitingWorkers();
  }

  onLateLease(listener: (lease: LateLease) => void): void {
    this.members.onLateLease(listener);
  }

  pause(deploymentIds: readonly DeploymentId[]): void {
    this.#paused = new Set(deploymentIds);
  }

  async limit(deployments: readonly LimitedDeployment[]): Promise<void> {
    if (deployments.length === 0) return;
    const values = [
      plainArray(deployments.map(({ deploymentId }) => deploymentId)),
      plainArray(deployments.map(({ limits }) => limits.queueDepth)),
      plainArray(deployments.map(({ limits }) => wholeMs(limits.maxRuntimeS))),
      plainArray(deployments.map(({ limits }) => wholeMs(limits.jobRetentionS))),
      plainArray(deployments.map(({ version }) => version)),
    ];
    await this.pool.query({ name: 'jobs.limit_deployments', text: limitDeploymentsSql, values });
  }

  async openJobs(deploymentIds: readonly DeploymentId[]): Promise<readonly OpenJobs[]> {
    if (deploymentIds.length === 0) return [];
    const { rows } = await this.pool.query<OpenJobsRow>({
      name: 'jobs.open_jobs',
      text: openJobsSql,
      values: [deploymentIds],
    });
    return rows.map(({ deployment_id: id, ...counts }) => ({ deploymentId: id as DeploymentId, ...counts }));
  }

  async setIntakes(intakes: readonly Intake[]): Promise<ReadonlySet<DeploymentId>> {
    if (intakes.length === 0) return new Set();
    const values = [
      plainArray(intakes.map(({ deploymentId }) => deploymentId)),
      plainArray(intakes.map(({ version }) => version)),
      intakes.map(({ revisions }) => plainArray(revisions)),
    ];
    const text = 'select standing from jobs.set_intakes($1, $2, $3)';
    const { rows } = await this.pool.query<{ standing: DeploymentId[] }>({ name: 'jobs.set_intakes', text, values });
    return new Set(rows[0]!.standing);
  }
}

/** At least one: a limit of no time would be none. */
function wholeMs(seconds: number | null): number | null {
  return seconds === null ? null : Math.max(1, Math.round(seconds * 1_000));
}
