import type {
  DeploymentId,
  Intake,
  LateLease,
  LimitedDeployment,
  OpenJobs,
  PolledPool,
  WorkerPoolsPort,
} from '@heddle/contracts-messages';

/** Workers and jobs as a test states them. */
export class StatedPools implements WorkerPoolsPort {
  workers: PolledPool[] = [];
  jobs: OpenJobs[] = [];
  paused: readonly DeploymentId[] = [];
  limited: LimitedDeployment[] = [];
  waiting = new Map<DeploymentId, number>();
  /** What the jobs service would call. */
  leaseLate: (lease: LateLease) => void = () => undefined;

  pools(): readonly PolledPool[] {
    return this.workers;
  }

  waitingWorkers(): ReadonlyMap<DeploymentId, number> {
    return this.waiting;
  }

  onLateLease(listener: (lease: LateLease) => void): void {
    this.leaseLate = listener;
  }

  pause(deploymentIds: readonly DeploymentId[]): void {
    this.paused = deploymentIds;
  }

  /** As the jobs service: a newer version wins, and an older look opens nothing. */
  readonly intakes = new Map<DeploymentId, Intake>();

  /** Called before intakes are set, as a submission that commits just then. */
  beforeIntakes: (intakes: readonly Intake[]) => void = () => undefined;

  setIntakes(intakes: readonly Intake[]): Promise<ReadonlySet<DeploymentId>> {
    this.beforeIntakes(intakes);
    const standing = intakes.filter(({ deploymentId, version, revisions }) => {
      const now = this.intakes.get(deploymentId);
      if (now === undefined || now.version < version) return true;
      return now.version === version && revisions.every((one) => now.revisions.includes(one));
    });
    for (const intake of standing) this.intakes.set(intake.deploymentId, intake);
    return Promise.resolve(new Set(standing.map(({ deploymentId }) => deploymentId)));
  }

  limit(deployments: readonly LimitedDeployment[]): Promise<void> {
    this.limited.push(...deployments);
    return Promise.resolve();
  }

  openJobs(deploymentIds: readonly DeploymentId[]): Promise<readonly OpenJobs[]> {
    return Promise.resolve(this.jobs.filter(({ deploymentId }) => deploymentIds.includes(deploymentId)));
  }
}
