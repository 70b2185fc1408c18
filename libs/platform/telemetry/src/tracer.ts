import type { LostSpans } from './lost-spans.js';

/** Ids, statuses, sizes and classes; never a client's content. */
type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  /** Default `internal`. */
  readonly kind?: SpanKindName;
  readonly attributes?: SpanAttributes;
  /** Milliseconds since 1970, for work that began before its span. */
  readonly startMs?: number;
}

export interface SpanHandle {
  /** Sent with messages and calls that belong to this span. */
  readonly traceparent: string;
  /** An `error.type` attribute marks the span as failed. `endMs`: milliseconds since 1970; default now. */
  end(attributes?: SpanAttributes, endMs?: number): void;
}

/** Creates spans. Without a configured collector there is no tracer, and trace context is still passed on. */
export interface Tracer {
  /**
   * Starts a span under the given context; null starts a new trace. A span of an unsampled trace costs next to nothing.
   */
  startSpan(name: string, parent: string | null, options?: SpanOptions): SpanHandle;
  /** Sends waiting spans. */
  close(): Promise<void>;
}

export interface TracerOptions {
  /** `service.name` of every span, such as `heddle-gateway`, unless OTEL_SERVICE_NAME is set. */
  readonly service: string;
  /** `service.version` of every span. */
  readonly version: string;
  readonly losses: LostSpans;
}
