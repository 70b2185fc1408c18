import type { TaskState, VendorName } from '@heddle/partner-proxy-domain';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Counter, Gauge, Histogram } from 'prom-client';
import type { DeliveryVerdict } from './send-callbacks/delivery-verdict.js';
import type { DeliveriesRow, StepRow } from './observe-tasks/proxy-depth.sql.js';
import { PARTNER_PROXY_METRICS } from './metrics.js';

const OPEN_STEPS = ['reserving', 'calling', 'under_way', 'settling'] as const;

/** Metrics of the partner proxy. */
export class ProxyMetrics {
  readonly #ended: Counter<'vendor' | 'end'>;
  readonly #lost: Counter<'vendor'>;
  readonly #calls: Counter<'vendor' | 'outcome'>;
  readonly #seconds: Histogram<'vendor'>;
  readonly #callbacks: Counter<'vendor' | 'outcome'>;
  readonly #attempts: Counter<'next'>;
  readonly #tasks: Gauge<'step'>;
  readonly #ages: Gauge<'step'>;
  readonly #deliveries: Gauge<'status'>;
  readonly #lag: Gauge;

  constructor(registry: MetricsRegistry) {
    this.#ended = registry.counter(PARTNER_PROXY_METRICS.tasksEnded);
    this.#lost = registry.counter(PARTNER_PROXY_METRICS.answersLost);
    this.#calls = registry.counter(PARTNER_PROXY_METRICS.vendorCalls);
    this.#seconds = registry.histogram(PARTNER_PROXY_METRICS.vendorSeconds);
    this.#callbacks = registry.counter(PARTNER_PROXY_METRICS.callbacksReceived);
    this.#attempts = registry.counter(PARTNER_PROXY_METRICS.deliveryAttempts);
    this.#tasks = registry.gauge(PARTNER_PROXY_METRICS.tasks);
    this.#ages = registry.gauge(PARTNER_PROXY_METRICS.stepAge);
    this.#deliveries = registry.gauge(PARTNER_PROXY_METRICS.deliveries);
    this.#lag = registry.gauge(PARTNER_PROXY_METRICS.deliveryLag);
  }

  ended(vendor: VendorName, end: TaskState): void {
    this.#ended.inc({ vendor, end }, 1);
  }

  lost(vendor: VendorName): void {
    this.#lost.inc({ vendor }, 1);
  }

  /** `milliseconds`: missing for a call that was not made. */
  called(vendor: VendorName, outcome: string, milliseconds?: number): void {
    this.#calls.inc({ vendor, outcome }, 1);
    if (milliseconds !== undefined) this.#seconds.observe({ vendor }, milliseconds / 1_000);
  }

  callback(vendor: VendorName, outcome: 'taken' | 'refused'): void {
    this.#callbacks.inc({ vendor, outcome }, 1);
  }

  delivery(next: DeliveryVerdict['next']): void {
    this.#attempts.inc({ next }, 1);
  }

  /** A step without a row has no task. */
  steps(rows: readonly StepRow[]): void {
    for (const step of OPEN_STEPS) {
      const row = rows.find((one) => one.step === step);
      this.#tasks.set({ step }, row?.tasks ?? 0);
      this.#ages.set({ step }, row?.ageSeconds ?? 0);
    }
  }

  deliveries({ waiting, dead, lagSeconds }: DeliveriesRow): void {
    this.#deliveries.set({ status: 'waiting' }, waiting);
    this.#deliveries.set({ status: 'dead' }, dead);
    this.#lag.set(lagSeconds);
  }
}
