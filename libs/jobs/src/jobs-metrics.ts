import { METRICS } from '@heddle/platform-telemetry';
import type { Counter, Histogram, MetricsRegistry } from '@heddle/platform-telemetry';
import { isEnded, isLeased, millisecondsBetween } from '@heddle/jobs-domain';
import type { CommittedJob } from './commit-job-events/committed-job.js';

/** What the jobs service counts. */
export class JobsMetrics {
  readonly #submitted: Counter;
  readonly #ended: Counter;
  readonly #leasesLost: Counter;
  readonly #dropped: Counter;
  readonly #waited: Histogram;
  readonly #ran: Histogram;
  readonly #batch: Histogram;

  constructor(registry: MetricsRegistry) {
    this.#submitted = registry.counter(...METRICS.jobsSubmitted);
    this.#ended = registry.counter(...METRICS.jobsEnded);
    this.#leasesLost = registry.counter(...METRICS.leaseLost);
    this.#dropped = registry.counter(...METRICS.workerEventsDropped);
    this.#waited = registry.histogram(...METRICS.queueSeconds);
    this.#ran = registry.histogram(...METRICS.runSeconds);
    this.#batch = registry.histogram(...METRICS.batchSize, [1, 2, 4, 8, 16, 32, 64, 128]);
  }

  /** A worker's report that changed nothing. */
  dropped(reason: string): void {
    this.#dropped.add({ reason });
  }

  submissionBatch(size: number): void {
    this.#batch.observe(size);
  }

  /** Subscribed to what is committed here. */
  onCommitted({ before, after, events }: CommittedJob): void {
    if (before.status === 'unsubmitted') this.#submitted.add();
    if (isLeased(before) && events.some(({ event }) => event.type === 'LeaseLost')) this.#leasesLost.add();
    if (before.status === 'queued' && after.status === 'running') {
      this.#waited.observe((millisecondsBetween(before.queuedAt, after.lease.leasedAt) ?? 0) / 1000);
    }
    if (!isEnded(after)) return;
    this.#ended.add({ status: after.status });
    const { startedAt } = after.facts;
    if (startedAt !== null) this.#ran.observe((millisecondsBetween(startedAt, after.completedAt) ?? 0) / 1000);
  }
}
