import type { JobId, JobMessage, JobStatus } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { Counter, Histogram } from 'prom-client';
import { GATEWAY_METRICS } from '../metrics.js';

interface LastFrame {
  readonly jobId: JobId;
  readonly status: JobStatus;
  /** Open streams that received it. */
  readonly streams: number;
  /** The job's trace, as far as its events have shown it. */
  readonly traceparent: string | null;
  /** Milliseconds since 1970 when the event was received. */
  readonly startMs: number;
}

/** Metrics and traces of the live path. */
export class LiveTelemetry {
  readonly #freshness: Histogram<never>;
  readonly #skipped: Counter<'kind'>;
  readonly #cut: Counter<never>;
  readonly #tracer: Tracer | null;

  constructor(metrics: MetricsRegistry = new MetricsRegistry(), tracer: Tracer | null = null) {
    this.#freshness = metrics.histogram(GATEWAY_METRICS.eventFreshness);
    this.#skipped = metrics.counter(GATEWAY_METRICS.framesSkipped);
    this.#cut = metrics.counter(GATEWAY_METRICS.streamsCut);
    this.#tracer = tracer;
  }

  /** A committed event arrived; its age is measured with two clocks, the database's and ours. */
  arrived({ recordedAt }: JobMessage): void {
    this.#freshness.observe(Math.max(0, Date.now() - Date.parse(recordedAt)) / 1000);
  }

  /** A reader was too slow for a frame. */
  skipped(kind: string): void {
    this.#skipped.inc({ kind });
  }

  /** A stream was closed because its reader accepted nothing for too long. */
  cut(): void {
    this.#cut.inc();
  }

  /** The job's streams received its last status: the end of its trace. */
  lastFrame({ jobId, status, streams, traceparent, startMs }: LastFrame): void {
    if (traceparent === null || streams === 0) return;
    const attributes = { 'heddle.job_id': jobId, 'heddle.status': status, 'heddle.streams': streams };
    this.#tracer?.startSpan('job.terminal.frame', traceparent, { startMs, attributes }).end();
  }
}
