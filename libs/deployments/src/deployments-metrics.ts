import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { DEPLOYMENTS_METRICS } from './metrics.js';
import type { PoolFigures } from './show-deployments/pool-figures.js';

type Figures = readonly PoolFigures[];

/** The gauges of the deployments and of the shared pool, read with each scrape; a deployment that is gone has none. */
export class DeploymentsMetrics {
  /** The gauges of one scrape share a read. */
  #reading: Promise<Figures> | null = null;
  #last: Figures = [];

  constructor(
    registry: MetricsRegistry,
    private readonly read: () => Promise<Figures>,
  ) {
    const each = (value: (of: PoolFigures) => number) => async () =>
      (await this.#figures()).map((of) => [{ deployment: of.name }, value(of)] as const);
    registry.gauge(
      DEPLOYMENTS_METRICS.waiting,
      each(({ waiting }) => waiting),
    );
    registry.gauge(
      DEPLOYMENTS_METRICS.leased,
      each(({ leased }) => leased),
    );
    registry.gauge(
      DEPLOYMENTS_METRICS.workers,
      each(({ workers }) => workers),
    );
    registry.gauge(DEPLOYMENTS_METRICS.status, async () =>
      (await this.#figures()).flatMap(({ name, status }) =>
        status === null ? [] : [[{ deployment: name, status }, 1] as const],
      ),
    );
  }

  async #figures(): Promise<Figures> {
    this.#reading ??= this.read()
      // An unreachable database must not hide the other metrics.
      .catch(() => this.#last)
      .finally(() => (this.#reading = null));
    return (this.#last = await this.#reading);
  }
}
