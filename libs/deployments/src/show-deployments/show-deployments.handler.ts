import { Inject, Injectable } from '@nestjs/common';
import { WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentView, WorkerPoolsPort } from '@heddle/contracts-messages';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import type { StoredDeployment } from '../commit-events/deployment-log.js';
import { WorkerPresence } from '../watch-workers/worker-presence.js';
import { deploymentView } from './deployment-view.js';
import { ViewSources } from './view-sources.js';

/** Deployments as operators see them. */
@Injectable()
export class ShowDeploymentsHandler {
  constructor(
    private readonly log: DeploymentLog,
    private readonly presence: WorkerPresence,
    @Inject(WORKER_POOLS_PORT) private readonly jobs: WorkerPoolsPort,
    private readonly sources: ViewSources,
  ) {}

  async all(): Promise<readonly DeploymentView[]> {
    return await this.views(await this.log.live());
  }

  async views(deployments: readonly StoredDeployment[]): Promise<readonly DeploymentView[]> {
    const ids = deployments.map(({ id }) => id);
    const [pools, jobs] = await Promise.all([this.presence.of(ids), this.jobs.openJobs(ids)]);
    return deployments.map((deployment) => deploymentView(deployment, pools, jobs, this.sources));
  }
}
