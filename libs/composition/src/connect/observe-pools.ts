import { METRICS } from '@heddle/platform-telemetry';
import type { Labels, MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';

/** How busy the connections to the database are, by the service that they belong to. */
export function observePools(
  metrics: MetricsRegistry,
  pools: readonly (readonly [service: string, pool: Pool])[],
): void {
  metrics.gauge(...METRICS.poolConnections, () =>
    pools.flatMap(([service, { totalCount, idleCount }]): [Labels, number][] => [
      [{ service, state: 'used' }, totalCount - idleCount],
      [{ service, state: 'idle' }, idleCount],
    ]),
  );
  metrics.gauge(...METRICS.poolWaiting, () => pools.map(([service, { waitingCount }]) => [{ service }, waitingCount]));
}
