import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Pool } from 'pg';
import { PROCESS_METRICS } from '../metrics.js';

/** Utilization of the database connections, by service. */
export function observePools(
  metrics: MetricsRegistry,
  pools: readonly (readonly [service: string, pool: Pool])[],
): void {
  metrics.gauge(PROCESS_METRICS.poolConnections, () =>
    pools.flatMap(([service, { totalCount, idleCount }]) => [
      [{ service, state: 'used' }, totalCount - idleCount] as const,
      [{ service, state: 'idle' }, idleCount] as const,
    ]),
  );
  metrics.gauge(PROCESS_METRICS.poolWaiting, () =>
    pools.map(([service, { waitingCount }]) => [{ service }, waitingCount]),
  );
}
