import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Counter } from 'prom-client';
import { LOGS_METRICS } from './metrics.js';

export class LogsMetrics {
  readonly #bytes: Counter<never>;
  readonly #late: Counter<never>;

  constructor(registry: MetricsRegistry) {
    this.#bytes = registry.counter(LOGS_METRICS.logBytes);
    this.#late = registry.counter(LOGS_METRICS.logsRefused);
  }

  kept(bytes: number): void {
    this.#bytes.inc(bytes);
  }

  late(): void {
    this.#late.inc();
  }
}
