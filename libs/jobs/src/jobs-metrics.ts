import { METRICS } from '@heddle/platform-telemetry';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@heddle/platform-telemetry';
import { isEnded, isLeased, millisecondsBetween } from '@heddle/jobs-domain';
import type { SequencerTurn } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import type { CommittedJob } from './commit-job-events/committed-job.js';
import { WHOLE_DEPLOYMENT } from './jobs-schema/queue-tables.js';

const depthSql = `
select coalesce(sum(waiting), 0)::int as waiting, coalesce(sum(running), 0)::int as running
from jobs.queue_depth where account_id <> '${WHOLE_DEPLOYMENT}'`;

/** What the jobs service counts. */
export class JobsMetrics {
  readonly #submitted: Counter;
  readonly #ended: Counter;
  readonly #leasesLost: Counter;
  readonly #dropped: Counter;
  readonly #waited: Histogram;
  readonly #ran: Histogram;
  readonly #batch: Histogram;
  readonly #queued: Gauge;
  readonly #running: Gauge;
  readonly #sequenced: Counter;
  readonly #lag: Gauge;

  constructor(registry: MetricsRegistry) {
    this.#submitted = registry.counter(...METRICS.jobsSubmitted);
    this.#ended = registry.counter(...METRICS.jobsEnded);
    this.#leasesLost = registry.counter(...METRICS.leaseLost);
    this.#dropped = registry.counter(...METRICS.workerEventsDropped);
    this.#waited = registry.histogram(...METRICS.queueSeconds);
    this.#ran = registry.histogram(...METRICS.runSeconds);
    this.#queued = registry.gauge(...METRICS.jobsQueued);
    this.#running = registry.gauge(...METRICS.jobsRunning);
    this.#sequenced = registry.counter(...METRICS.sequencerEvents);
    this.#lag = registry.gauge(...METRICS.sequencerLag);
    this.#batch = registry.histogram(...METRICS.batchSize, [1, 2, 4, 8, 16, 32, 64, 128]);
  }

  /** A worker's report that changed nothing. */
  dropped(reason: string): void {
    this.#dropped.add({ reason });
  }

  sequenced({ count, lagMs, waitingMs }: SequencerTurn): void {
    if (count > 0) this.#sequenced.add({}, count);
    this.#lag.set(Math.max(lagMs, waitingMs ?? 0) / 1000);
  }

  /** Jobs that wait and run, from the counters of the queue. */
  async readDepth(pool: Pool): Promise<void> {
    const { rows } = await pool.query<{ waiting: number; running: number }>(depthSql);
    this.#queued.set(rows[0]?.waiting ?? 0);
    this.#running.set(rows[0]?.running ?? 0);
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
