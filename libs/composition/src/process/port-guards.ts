import { ConnectionGuard } from '@heddle/platform-http/connection-guard';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { networkLimits } from '../settings/process-settings.js';
import type { Settings } from '../settings/settings.js';
import { PROCESS_METRICS } from '../metrics.js';

/** The guards of a process's ports, limited by the settings, and counted under the name of their port. */
export class PortGuards {
  readonly #settings: Settings;
  readonly #metrics: MetricsRegistry;
  readonly #guards = new Map<string, ConnectionGuard>();

  constructor(settings: Settings, metrics: MetricsRegistry) {
    this.#settings = settings;
    this.#metrics = metrics;
  }

  /** The guard of one port, such as `api`: always the same one. */
  guard(port: string): ConnectionGuard {
    return this.#guards.get(port) ?? this.#add(port);
  }

  #add(port: string): ConnectionGuard {
    const refused = this.#metrics.counter(PROCESS_METRICS.networkRefusals);
    const { connections } = networkLimits(this.#settings);
    const guard = new ConnectionGuard(connections, (reason) => refused.inc({ port, reason }));
    this.#guards.set(port, guard);
    this.#metrics.gauge(PROCESS_METRICS.connectionsOpen, () =>
      [...this.#guards].map(([name, { open }]) => [{ port: name }, open]),
    );
    return guard;
  }
}
