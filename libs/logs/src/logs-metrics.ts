import { METRICS } from '@heddle/platform-telemetry';
import type { Counter, MetricsRegistry } from '@heddle/platform-telemetry';

/** What the logs service counts. */
export class LogsMetrics {
  readonly #bytes: Counter;
  readonly #late: Counter;

  constructor(registry: MetricsRegistry) {
    this.#bytes = registry.counter(...METRICS.logBytes);
    this.#late = registry.counter(...METRICS.logsRefused);
  }

  kept(bytes: number): void {
    this.#bytes.add({}, bytes);
  }

  late(): void {
    this.#late.add();
  }
}
