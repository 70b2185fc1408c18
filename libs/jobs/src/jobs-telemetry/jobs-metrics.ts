import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { isEnded, isLeased, millisecondsBetween } from '@heddle/jobs-domain';
import type { EndedJob, JobEvent } from '@heddle/jobs-domain';
import type { SequencerTurn } from '@heddle/platform-event-log';
import type { Counter, Gauge, Histogram } from 'prom-client';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import { faultOf } from './fault-class.js';
import { JOBS_METRICS } from '../metrics.js';

/** Further node classes share one series. */
const MAX_CLASSES = 48;

/** Metrics of the jobs service. */
export class JobsMetrics {
  readonly #submitted: Counter<never>;
  readonly #ended: Counter<'status'>;
  readonly #failed: Counter<'code' | 'error_class'>;
  readonly #attempts: Counter<'reason'>;
  readonly #leasesLost: Counter<'reason'>;
  readonly #leasesExpired: Counter<never>;
  readonly #fenced: Counter<never>;
  readonly #dropped: Counter<'reason'>;
  readonly #conflicts: Counter<never>;
  readonly #relayed: Counter<never>;
  readonly #waited: Histogram<never>;
  readonly #ran: Histogram<never>;
  readonly #node: Histogram<'class'>;
  readonly #batch: Histogram<never>;
  readonly #queued: Gauge<never>;
  readonly #running: Gauge<never>;
  readonly #sequenced: Counter<never>;
  readonly #lag: Gauge<never>;
  readonly #relayEvents: Gauge<never>;
  readonly #relaySeconds: Gauge<never>;
  readonly #unreadable: Counter<'reason'>;
  readonly #classes = new Set<string>();

  constructor(registry: MetricsRegistry) {
    this.#submitted = registry.counter(JOBS_METRICS.jobsSubmitted);
    this.#ended = registry.counter(JOBS_METRICS.jobsEnded);
    this.#failed = registry.counter(JOBS_METRICS.jobsFailed);
    this.#attempts = registry.counter(JOBS_METRICS.attempts);
    this.#leasesLost = registry.counter(JOBS_METRICS.leaseLost);
    this.#leasesExpired = registry.counter(JOBS_METRICS.leaseExpired);
    this.#fenced = registry.counter(JOBS_METRICS.fencedWrites);
    this.#dropped = registry.counter(JOBS_METRICS.workerEventsDropped);
    this.#conflicts = registry.counter(JOBS_METRICS.appendConflicts);
    this.#relayed = registry.counter(JOBS_METRICS.relayedEvents);
    this.#waited = registry.histogram(JOBS_METRICS.queueSeconds);
    this.#ran = registry.histogram(JOBS_METRICS.runSeconds);
    this.#node = registry.histogram(JOBS_METRICS.nodeSeconds);
    this.#queued = registry.gauge(JOBS_METRICS.jobsQueued);
    this.#running = registry.gauge(JOBS_METRICS.jobsRunning);
    this.#sequenced = registry.counter(JOBS_METRICS.sequencerEvents);
    this.#lag = registry.gauge(JOBS_METRICS.sequencerLag);
    this.#relayEvents = registry.gauge(JOBS_METRICS.relayLagEvents);
    this.#relaySeconds = registry.gauge(JOBS_METRICS.relayLagSeconds);
    this.#unreadable = registry.counter(JOBS_METRICS.credentialsUnreadable);
    this.#batch = registry.histogram(JOBS_METRICS.batchSize);
  }

  /** A worker's report that changed nothing. */
  dropped(reason: string): void {
    this.#dropped.inc({ reason });
    if (reason === 'stale_fence') this.#fenced.inc();
  }

  /** Decisions made on an outdated state. */
  conflicts(count: number): void {
    if (count > 0) this.#conflicts.inc(count);
  }

  /** The service ended a lease that its worker did not renew, whatever became of the job. */
  leaseExpired(): void {
    this.#leasesExpired.inc();
  }

  relayed(count: number): void {
    this.#relayed.inc(count);
  }

  sequenced({ count, lagMs, waitingMs }: SequencerTurn): void {
    if (count > 0) this.#sequenced.inc(count);
    this.#lag.set(Math.max(lagMs, waitingMs ?? 0) / 1000);
  }

  credentialsUnreadable(reason: 'unknown_key' | 'wrong_key'): void {
    this.#unreadable.inc({ reason });
  }

  queueDepth(waiting: number, running: number): void {
    this.#queued.set(waiting);
    this.#running.set(running);
  }

  relayLag(events: number, seconds: number): void {
    this.#relayEvents.set(Math.max(0, events));
    this.#relaySeconds.set(Math.max(0, seconds));
  }

  submissionBatch(size: number): void {
    this.#batch.observe(size);
  }

  /** Called after each commit in this process. */
  onCommitted({ before, after, events }: CommittedJob): void {
    if (before.status === 'unsubmitted') this.#submitted.inc();
    for (const { event } of events) this.#count(event, isLeased(before));
    if (before.status === 'queued' && after.status === 'running') {
      this.#waited.observe((millisecondsBetween(before.queuedAt, after.lease.leasedAt) ?? 0) / 1000);
    }
    if (isEnded(after) && !isEnded(before)) this.#countEnd(after);
  }

  #count(event: JobEvent, wasLeased: boolean): void {
    if (event.type === 'JobLeased') this.#attempts.inc({ reason: event.data.fence === 1 ? 'first' : 'again' });
    if (event.type === 'NodeFinished' && !event.data.cached) {
      const { startedAt, endedAt, classType } = event.data;
      const seconds = Math.max(0, millisecondsBetween(startedAt, endedAt) ?? 0) / 1000;
      this.#node.observe({ class: this.#classOf(classType) }, seconds);
    }
    if (event.type === 'LeaseLost' && wasLeased) this.#leasesLost.inc({ reason: event.data.reason });
  }

  #countEnd(job: EndedJob): void {
    this.#ended.inc({ status: job.status });
    if (job.status === 'failed') {
      const { code } = job.error;
      this.#failed.inc({ code, error_class: faultOf(code) });
    }
    const { startedAt } = job.facts;
    if (startedAt !== null) this.#ran.observe((millisecondsBetween(startedAt, job.completedAt) ?? 0) / 1000);
  }

  #classOf(classType: string): string {
    if (this.#classes.has(classType)) return classType;
    if (this.#classes.size >= MAX_CLASSES || !/^[\w .:+/()|-]{1,80}$/.test(classType)) return 'other';
    this.#classes.add(classType);
    return classType;
  }
}
