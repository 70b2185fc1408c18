import type { DeploymentId } from './ids.js';

/** Workers of one deployment and revision with an open `Work` stream. */
export interface PolledPool {
  readonly deploymentId: DeploymentId;
  readonly revision: number;
  readonly workers: number;
}

/** Jobs of a deployment that have not ended, by the revision that they were validated against. */
export interface OpenJobs {
  readonly deploymentId: DeploymentId;
  readonly revision: number;
  readonly waiting: number;
  readonly running: number;
}

/** What the jobs service knows of the workers and jobs of deployments. */
export interface WorkerPoolsPort {
  /** Of this process. */
  pools(): readonly PolledPool[];
  /** From now on this process leases no job of these deployments, and those of all others. */
  pause(deploymentIds: readonly DeploymentId[]): void;
  openJobs(deploymentIds: readonly DeploymentId[]): Promise<readonly OpenJobs[]>;
}
export const WORKER_POOLS_PORT = Symbol('WorkerPoolsPort');
