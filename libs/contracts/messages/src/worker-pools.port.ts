import type { DeploymentLimits } from './deployments.port.js';
import type { DeploymentId } from './ids.js';
import type { WorkerPool } from './work.port.js';

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

/** Which revisions of a deployment take jobs, by a version of the deployment. */
export interface Intake {
  readonly deploymentId: DeploymentId;
  readonly version: number;
  readonly revisions: readonly number[];
}

/** The limits of a deployment; `version` orders their changes. */
export interface LimitedDeployment {
  readonly deploymentId: DeploymentId;
  readonly limits: DeploymentLimits;
  readonly version: number;
}

/** A first lease of workers that came after its job: the job had waited without a worker of its pool in this process. */
export interface LateLease extends WorkerPool {
  readonly waitedMs: number;
}

/**
 * What the jobs service knows of the workers and jobs of deployments. One implementation: deployments run in the process
 * of the jobs service, and this is an interface because contexts do not import each other.
 */
export interface WorkerPoolsPort {
  /** Of this process. */
  pools(): readonly PolledPool[];
  /** How many workers of this process wait for a lease; deployments without one are left out. */
  waitingWorkers(): ReadonlyMap<DeploymentId, number>;
  /** The listener must not throw and must not wait. */
  onLateLease(listener: (lease: LateLease) => void): void;
  /** From now on this process leases no job of these deployments, and those of all others. */
  pause(deploymentIds: readonly DeploymentId[]): void;
  /** Sets what the jobs service enforces, in every process. A change that comes late is passed by. */
  limit(deployments: readonly LimitedDeployment[]): Promise<void>;
  openJobs(deploymentIds: readonly DeploymentId[]): Promise<readonly OpenJobs[]>;
  /**
   * From its commit on, a submission for another revision is refused, and each one that was accepted before is among the
   * open jobs. Resolves with the deployments whose intake is now as given: a newer version, or a narrower intake of the
   * same version, stands against it.
   */
  setIntakes(intakes: readonly Intake[]): Promise<ReadonlySet<DeploymentId>>;
}
export const WORKER_POOLS_PORT = Symbol('WorkerPoolsPort');
