import type { JobLease } from '@heddle/contracts-messages';
import { withCallContext } from '@heddle/platform-telemetry';
import type { SpanHandle, Tracer } from '@heddle/platform-telemetry';

interface FinishedNode {
  readonly nodeId: string;
  readonly classType: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly cached: boolean;
}

/**
 * One attempt in its job's trace, with its nodes and stored outputs. Without a tracer only the context is passed on.
 */
export class AttemptTrace {
  readonly #tracer: Tracer | null;
  readonly #span: SpanHandle | null;
  readonly #lease: JobLease;

  constructor(tracer: Tracer | null, lease: JobLease) {
    const { jobId, attempt } = lease;
    const attributes = { 'heddle.job_id': jobId, 'heddle.attempt': attempt };
    this.#tracer = tracer;
    this.#span = tracer?.startSpan('run attempt', lease.traceparent, { attributes }) ?? null;
    this.#lease = this.#span === null ? lease : { ...lease, traceparent: this.#span.traceparent };
  }

  /** The lease with the attempt's own trace context. */
  get lease(): JobLease {
    return this.#lease;
  }

  /** Calls and log lines of `work` carry the attempt's ids. */
  run<T>(work: () => T): T {
    return this.#in(this.#lease.traceparent, work);
  }

  node({ nodeId, classType, startedAt, endedAt, cached }: FinishedNode): void {
    if (this.#tracer === null) return;
    const attributes = { 'heddle.node_id': nodeId, 'heddle.node_class': classType, 'heddle.cached': cached };
    const startMs = Date.parse(startedAt);
    this.#tracer
      .startSpan('run node', this.#lease.traceparent, { startMs, attributes })
      .end({}, Math.max(startMs, Date.parse(endedAt)));
  }

  async output<T>(type: string, sizeBytes: number | null, store: () => Promise<T>): Promise<T> {
    const attributes = { 'heddle.output_type': type, 'heddle.output_bytes': sizeBytes ?? undefined };
    const span = this.#tracer?.startSpan('store output', this.#lease.traceparent, { attributes }) ?? null;
    try {
      const stored = await this.#in(span?.traceparent ?? this.#lease.traceparent, store);
      span?.end();
      return stored;
    } catch (error) {
      span?.end({ 'error.type': error instanceof Error ? error.name : 'unknown' });
      throw error;
    }
  }

  end(outcome: string): void {
    this.#span?.end({ 'heddle.outcome': outcome, 'error.type': outcome === 'lost' ? outcome : undefined });
  }

  #in<T>(traceparent: string | null, work: () => T): T {
    const { jobId, fence } = this.#lease;
    return withCallContext({ requestId: `${jobId}:${fence}`, traceparent, jobId }, work);
  }
}
