import type { DeploymentId, OpenJobs, PolledPool, WorkerPoolsPort } from '@heddle/contracts-messages';

/** Workers and jobs as a test states them. */
export class StatedPools implements WorkerPoolsPort {
  workers: PolledPool[] = [];
  jobs: OpenJobs[] = [];
  paused: readonly DeploymentId[] = [];

  pools(): readonly PolledPool[] {
    return this.workers;
  }

  pause(deploymentIds: readonly DeploymentId[]): void {
    this.paused = deploymentIds;
  }

  openJobs(deploymentIds: readonly DeploymentId[]): Promise<readonly OpenJobs[]> {
    return Promise.resolve(this.jobs.filter(({ deploymentId }) => deploymentIds.includes(deploymentId)));
  }
}
