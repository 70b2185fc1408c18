import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { DEPLOYMENTS_METRICS } from './metrics.js';
import { deploymentView } from './show-deployments/deployment-view.js';
import type { Look } from './watch-workers/deployment-watch.js';

/** The gauges of the last look; a deployment that is gone has none. */
export class DeploymentsMetrics {
  #look: Look = { deployments: [], pools: [], jobs: [] };

  constructor(registry: MetricsRegistry) {
    const each = (value: (view: ReturnType<typeof deploymentView>) => number) => () =>
      this.#views().map((view) => [{ deployment: view.label, stage: view.stage }, value(view)] as const);
    registry.gauge(
      DEPLOYMENTS_METRICS.waiting,
      each(({ waiting }) => waiting),
    );
    registry.gauge(
      DEPLOYMENTS_METRICS.leased,
      each(({ running }) => running),
    );
    registry.gauge(
      DEPLOYMENTS_METRICS.workers,
      each(({ workers }) => workers),
    );
    registry.gauge(DEPLOYMENTS_METRICS.status, () =>
      this.#views().map(({ label, stage, status }) => [{ deployment: label, stage, status }, 1] as const),
    );
  }

  saw(look: Look): void {
    this.#look = look;
  }

  #views(): ReturnType<typeof deploymentView>[] {
    const { deployments, pools, jobs } = this.#look;
    return deployments.map((deployment) => deploymentView(deployment, pools, jobs));
  }
}
