import type { LostSpans } from './lost-spans.js';

/** Ids, statuses, sizes and classes; never what a client wrote. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  /** `internal` where it is not given. */
  readonly kind?: SpanKindName;
  readonly attributes?: SpanAttributes;
  /** Milliseconds since 1970, for work that began before its span was made. */
  readonly startMs?: number;
}

export interface SpanHandle {
  /** Goes with messages and calls that belong to this span. */
  readonly traceparent: string;
  /** `error.type` among the attributes marks the span as failed. `endMs`: milliseconds since 1970, now where it is not given. */
  end(attributes?: SpanAttributes, endMs?: number): void;
}

/** Makes spans. Where no collector is configured there is none, and trace context is passed on all the same. */
export interface Tracer {
  /** Under the given context; null begins a trace of its own. A span of a trace that is not sampled costs next to nothing. */
  startSpan(name: string, parent: string | null, options?: SpanOptions): SpanHandle;
  /** Sends what waits. */
  close(): Promise<void>;
}

export interface TracerOptions {
  /** `service.name` of every span unless OTEL_SERVICE_NAME says otherwise, such as `heddle-gateway`. */
  readonly service: string;
  /** `service.version` of every span. */
  readonly version: string;
  readonly losses: LostSpans;
}
