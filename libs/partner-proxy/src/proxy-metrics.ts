import type { TaskState, VendorName } from '@heddle/partner-proxy-domain';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Counter, Histogram } from 'prom-client';
import type { DeliveryVerdict } from './deliver-changes/delivery-verdict.js';
import { PARTNER_PROXY_METRICS } from './metrics.js';

/** Metrics of the partner proxy. */
export class ProxyMetrics {
  readonly #ended: Counter<'vendor' | 'end'>;
  readonly #lost: Counter<'vendor'>;
  readonly #calls: Counter<'vendor' | 'outcome'>;
  readonly #seconds: Histogram<'vendor'>;
  readonly #callbacks: Counter<'vendor' | 'outcome'>;
  readonly #deliveries: Counter<'next'>;

  constructor(registry: MetricsRegistry) {
    this.#ended = registry.counter(PARTNER_PROXY_METRICS.tasksEnded);
    this.#lost = registry.counter(PARTNER_PROXY_METRICS.answersLost);
    this.#calls = registry.counter(PARTNER_PROXY_METRICS.vendorCalls);
    this.#seconds = registry.histogram(PARTNER_PROXY_METRICS.vendorSeconds);
    this.#callbacks = registry.counter(PARTNER_PROXY_METRICS.callbacksReceived);
    this.#deliveries = registry.counter(PARTNER_PROXY_METRICS.deliveryAttempts);
  }

  ended(vendor: VendorName, end: TaskState): void {
    this.#ended.inc({ vendor, end }, 1);
  }

  lost(vendor: VendorName): void {
    this.#lost.inc({ vendor }, 1);
  }

  called(vendor: VendorName, outcome: string, milliseconds: number): void {
    this.#calls.inc({ vendor, outcome }, 1);
    this.#seconds.observe({ vendor }, milliseconds / 1_000);
  }

  callback(vendor: VendorName, outcome: 'taken' | 'refused'): void {
    this.#callbacks.inc({ vendor, outcome }, 1);
  }

  delivery(next: DeliveryVerdict['next']): void {
    this.#deliveries.inc({ next }, 1);
  }
}
