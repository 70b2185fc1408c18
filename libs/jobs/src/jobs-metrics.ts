import { METRICS } from '@heddle/platform-telemetry';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@heddle/platform-telemetry';
import { isEnded, isLeased, millisecondsBetween } from '@heddle/jobs-domain';
import type { EndedJob, JobEvent } from '@heddle/jobs-domain';
import { eventOfNumberSql } from '@heddle/platform-event-log';
import type { SequencerTurn } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import type { CommittedJob } from './commit-job-events/committed-job.js';
import { WHOLE_DEPLOYMENT } from './jobs-schema/queue-tables.js';
import { faultOf } from './fault-class.js';

const depthSql = `
select (select coalesce(sum(waiting), 0)::int from jobs.queue_depth where account_id = '${WHOLE_DEPLOYMENT}'::uuid) as waiting,
  (select count(*)::int from jobs.queue where state <> 'queued') as running`;

/** What the relay has still to publish, and since when the next of it waits. */
const relayLagSql = `
select (select max(seq) from jobs.seq_cursor) - c.seq as events, coalesce(extract(epoch from heddle.clock_now() - (
    select e.recorded_at from jobs.event_seq s ${eventOfNumberSql('jobs', 's')}
    where s.seq = c.seq + 1)), 0) as seconds
from jobs.relay_cursor c where c.consumer = 'jobs-relay'`;

/** A class of nodes beyond these has no series of its own. */
const MOST_CLASSES = 48;
const NODE_BUCKETS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800];
const RUN_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** What the jobs service counts. */
export class JobsMetrics {
  readonly #submitted: Counter;
  readonly #ended: Counter;
  readonly #failed: Counter;
  readonly #attempts: Counter;
  readonly #leasesLost: Counter;
  readonly #leasesExpired: Counter;
  readonly #fenced: Counter;
  readonly #dropped: Counter;
  readonly #conflicts: Counter;
  readonly #relayed: Counter;
  readonly #waited: Histogram;
  readonly #ran: Histogram;
  readonly #node: Histogram;
  readonly #batch: Histogram;
  readonly #queued: Gauge;
  readonly #running: Gauge;
  readonly #sequenced: Counter;
  readonly #lag: Gauge;
  readonly #relayEvents: Gauge;
  readonly #relaySeconds: Gauge;
  readonly #classes = new Set<string>();

  constructor(registry: MetricsRegistry) {
    this.#submitted = registry.counter(...METRICS.jobsSubmitted);
    this.#ended = registry.counter(...METRICS.jobsEnded);
    this.#failed = registry.counter(...METRICS.jobsFailed);
    this.#attempts = registry.counter(...METRICS.attempts);
    this.#leasesLost = registry.counter(...METRICS.leaseLost);
    this.#leasesExpired = registry.counter(...METRICS.leaseExpired);
    this.#fenced = registry.counter(...METRICS.fencedWrites);
    this.#dropped = registry.counter(...METRICS.workerEventsDropped);
    this.#conflicts = registry.counter(...METRICS.appendConflicts);
    this.#relayed = registry.counter(...METRICS.relayedEvents);
    this.#waited = registry.histogram(...METRICS.queueSeconds);
    this.#ran = registry.histogram(...METRICS.runSeconds, RUN_BUCKETS);
    this.#node = registry.histogram(...METRICS.nodeSeconds, NODE_BUCKETS);
    this.#queued = registry.gauge(...METRICS.jobsQueued);
    this.#running = registry.gauge(...METRICS.jobsRunning);
    this.#sequenced = registry.counter(...METRICS.sequencerEvents);
    this.#lag = registry.gauge(...METRICS.sequencerLag);
    this.#relayEvents = registry.gauge(...METRICS.relayLagEvents);
    this.#relaySeconds = registry.gauge(...METRICS.relayLagSeconds);
    this.#batch = registry.histogram(...METRICS.batchSize, [1, 2, 4, 8, 16, 32, 64, 128]);
  }

  /** A worker's report that changed nothing. */
  dropped(reason: string): void {
    this.#dropped.add({ reason });
    if (reason === 'stale_fence') this.#fenced.add();
  }

  /** Changes that were decided on a state that somebody else had changed. */
  conflicts(count: number): void {
    if (count > 0) this.#conflicts.add({}, count);
  }

  relayed(count: number): void {
    this.#relayed.add({}, count);
  }

  sequenced({ count, lagMs, waitingMs }: SequencerTurn): void {
    if (count > 0) this.#sequenced.add({}, count);
    this.#lag.set(Math.max(lagMs, waitingMs ?? 0) / 1000);
  }

  /** Jobs that wait and run, from the counters of the queue, and how far the relay is behind the log. */
  async readDepth(pool: Pool): Promise<void> {
    const { rows } = await pool.query<{ waiting: number; running: number }>(depthSql);
    this.#queued.set(rows[0]?.waiting ?? 0);
    this.#running.set(rows[0]?.running ?? 0);
    const { rows: lag } = await pool.query<{ events: string; seconds: string }>(relayLagSql);
    this.#relayEvents.set(Math.max(0, Number(lag[0]?.events ?? 0)));
    this.#relaySeconds.set(Math.max(0, Number(lag[0]?.seconds ?? 0)));
  }

  submissionBatch(size: number): void {
    this.#batch.observe(size);
  }

  /** Subscribed to what is committed here. */
  onCommitted({ before, after, events }: CommittedJob): void {
    if (before.status === 'unsubmitted') this.#submitted.add();
    for (const { event } of events) this.#count(event, isLeased(before));
    if (before.status === 'queued' && after.status === 'running') {
      this.#waited.observe((millisecondsBetween(before.queuedAt, after.lease.leasedAt) ?? 0) / 1000);
    }
    if (isEnded(after) && !isEnded(before)) this.#countEnd(after);
  }

  #count(event: JobEvent, wasLeased: boolean): void {
    if (event.type === 'JobLeased') this.#attempts.add({ reason: event.data.fence === 1 ? 'first' : 'again' });
    if (event.type === 'NodeFinished' && !event.data.cached) {
      const { startedAt, endedAt, classType } = event.data;
      const seconds = Math.max(0, millisecondsBetween(startedAt, endedAt) ?? 0) / 1000;
      this.#node.observe(seconds, { class: this.#classOf(classType) });
    }
    if (event.type === 'LeaseLost' && wasLeased) {
      this.#leasesLost.add({ reason: event.data.reason });
      if (event.data.reason === 'expired') this.#leasesExpired.add();
    }
  }

  #countEnd(job: EndedJob): void {
    this.#ended.add({ status: job.status });
    if (job.status === 'failed') {
      const { code } = job.error;
      this.#failed.add({ code, error_class: faultOf(code) });
      if (code === 'worker_lost') this.#leasesExpired.add();
    }
    const { startedAt } = job.facts;
    if (startedAt !== null) this.#ran.observe((millisecondsBetween(startedAt, job.completedAt) ?? 0) / 1000);
  }

  #classOf(classType: string): string {
    if (this.#classes.has(classType)) return classType;
    if (this.#classes.size >= MOST_CLASSES || !/^[\w .:+/()|-]{1,80}$/.test(classType)) return 'other';
    this.#classes.add(classType);
    return classType;
  }
}
