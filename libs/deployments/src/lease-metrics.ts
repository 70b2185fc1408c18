import { Inject, Injectable } from '@nestjs/common';
import { WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentId, LateLease, WorkerPoolsPort } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { DEPLOYMENTS_METRICS } from './metrics.js';
import { DeploymentsSettings } from './settings.js';
import { SHARED_POOL_NAME } from './show-deployments/pool-figures.js';
import { DeploymentWatch } from './watch-workers/deployment-watch.js';

/** Metrics of the leases that this replica grants, which the jobs service has by the ids of deployments. */
@Injectable()
export class LeaseMetrics {
  readonly #coldStart: (deployment: string, seconds: number) => void;

  constructor(
    registry: MetricsRegistry,
    private readonly watch: DeploymentWatch,
    @Inject(WORKER_POOLS_PORT) private readonly jobs: WorkerPoolsPort,
    private readonly settings: DeploymentsSettings,
  ) {
    const coldStart = registry.histogram<'deployment'>(DEPLOYMENTS_METRICS.coldStart);
    this.#coldStart = (deployment, seconds) => coldStart.observe({ deployment }, seconds);
    registry.gauge(DEPLOYMENTS_METRICS.waitingWorkers, () => this.#waiting());
    jobs.onLateLease((lease) => this.#onLateLease(lease));
  }

  #onLateLease(lease: LateLease): void {
    const deployment = this.#nameOf(lease.deploymentId);
    // A worker of another replica was there, and had no free slot.
    if (deployment === null || this.watch.silentElsewhereMs(lease) < lease.waitedMs) return;
    this.#coldStart(deployment, lease.waitedMs / 1_000);
  }

  #waiting(): (readonly [{ readonly deployment: string }, number])[] {
    const waiting = this.jobs.waitingWorkers();
    const served = new Set(this.jobs.pools().map(({ deploymentId }) => deploymentId));
    return [...served].flatMap((id) => {
      const deployment = this.#nameOf(id);
      return deployment === null ? [] : [[{ deployment }, waiting.get(id) ?? 0] as const];
    });
  }

  #nameOf(id: DeploymentId): string | null {
    return id === this.settings.sharedPool ? SHARED_POOL_NAME : this.watch.nameOf(id);
  }
}
