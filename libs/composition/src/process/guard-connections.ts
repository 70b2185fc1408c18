import { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { networkLimits } from '../settings/process-settings.js';
import type { Settings } from '../settings/settings.js';
import { PROCESS_METRICS } from '../metrics.js';

/** What is needed of a process. */
export interface GuardedProcess {
  readonly settings: Settings;
  readonly metrics: MetricsRegistry;
  /** Guards of its ports, by name. */
  readonly guards: Map<string, ConnectionGuard>;
}

/** The guard of one port, such as `api`: limited by the settings, and counted under the port's name. */
export function guardConnections({ settings, metrics, guards }: GuardedProcess, port: string): ConnectionGuard {
  const refused = metrics.counter(PROCESS_METRICS.networkRefusals);
  const { connections } = networkLimits(settings);
  const guard = new ConnectionGuard(connections, (reason) => refused.inc({ port, reason }));
  guards.set(port, guard);
  metrics.gauge(PROCESS_METRICS.connectionsOpen, () => [...guards].map(([name, { open }]) => [{ port: name }, open]));
  return guard;
}
