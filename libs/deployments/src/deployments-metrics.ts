import type { DeploymentView } from '@heddle/contracts-messages';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { DEPLOYMENTS_METRICS } from './metrics.js';

type Views = readonly DeploymentView[];

/** The gauges of the deployments, read with each scrape; a deployment that is gone has none. */
export class DeploymentsMetrics {
  /** The gauges of one scrape share a read. */
  #reading: Promise<Views> | null = null;
  #last: Views = [];

  constructor(
    registry: MetricsRegistry,
    private readonly read: () => Promise<Views>,
  ) {
    const each = (value: (view: DeploymentView) => number) => async () =>
      (await this.#views()).map((view) => [{ deployment: view.label, stage: view.stage }, value(view)] as const);
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
    registry.gauge(DEPLOYMENTS_METRICS.status, async () =>
      (await this.#views()).map(({ label, stage, status }) => [{ deployment: label, stage, status }, 1] as const),
    );
  }

  async #views(): Promise<Views> {
    this.#reading ??= this.read()
      // A database that is away must not hide the other metrics.
      .catch(() => this.#last)
      .finally(() => (this.#reading = null));
    return (this.#last = await this.#reading);
  }
}
