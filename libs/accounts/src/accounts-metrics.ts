import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Counter } from 'prom-client';
import type { KeyCache } from './check-key/key-cache.js';
import { ACCOUNTS_METRICS } from './metrics.js';

export class AccountsMetrics {
  readonly #lookups: Counter<never>;

  constructor(registry: MetricsRegistry, cache: Pick<KeyCache, 'size'>) {
    this.#lookups = registry.counter(ACCOUNTS_METRICS.keyLookups);
    registry.gauge(ACCOUNTS_METRICS.keyCacheEntries, () => cache.size);
  }

  lookedUp(keys: number): void {
    this.#lookups.inc(keys);
  }
}
