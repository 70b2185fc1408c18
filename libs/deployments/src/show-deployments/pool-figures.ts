import { Inject, Injectable } from '@nestjs/common';
import { nameText, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentView, WorkerPoolsPort } from '@heddle/contracts-messages';
import { DeploymentsSettings } from '../settings.js';
import { WorkerPresence } from '../watch-workers/worker-presence.js';
import { sumOf } from './deployment-view.js';
import { ShowDeploymentsHandler } from './show-deployments.handler.js';

/** What an autoscaler asks of the workers of a deployment, or of the shared pool. */
export interface PoolFigures {
  /** As in metrics. */
  readonly name: string;
  readonly waiting: number;
  readonly leased: number;
  readonly workers: number;
  /** Null: the shared pool has none. */
  readonly status: DeploymentView['status'] | null;
}

/** No deployment has this label (accounts, Label, stage). */
export const SHARED_POOL_NAME = 'managed';

@Injectable()
export class ReadPoolFigures {
  constructor(
    private readonly shown: ShowDeploymentsHandler,
    private readonly presence: WorkerPresence,
    @Inject(WORKER_POOLS_PORT) private readonly jobs: WorkerPoolsPort,
    private readonly settings: DeploymentsSettings,
  ) {}

  async all(): Promise<readonly PoolFigures[]> {
    const [shared, views] = await Promise.all([this.#sharedPool(), this.shown.all()]);
    const own = views.map((view) => ({ ...view, name: nameText(view), leased: view.running }));
    return [...shared, ...own];
  }

  async #sharedPool(): Promise<readonly PoolFigures[]> {
    const { sharedPool: id } = this.settings;
    if (id === null) return [];
    const [pools, jobs] = await Promise.all([this.presence.of([id]), this.jobs.openJobs([id])]);
    const figures = {
      waiting: sumOf(jobs.map(({ waiting }) => waiting)),
      leased: sumOf(jobs.map(({ running }) => running)),
      workers: sumOf(pools.map(({ workers }) => workers)),
    };
    return [{ name: SHARED_POOL_NAME, ...figures, status: null }];
  }
}
