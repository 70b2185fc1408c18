/** W3C trace context, kept as its text: `00-<trace id>-<span id>-<flags>`. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

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
  /** `service.name` of every span, such as `heddle-gateway`. */
  readonly service: string;
  /** Base URL of an OTLP/HTTP collector; undefined or empty: no tracer. */
  readonly endpoint: string | undefined;
  /** OTEL_TRACES_SAMPLER: `always_on`, `always_off`, `traceidratio`, or one of them with `parentbased_` before it; that one with `always_on` where it is not given. */
  readonly sampler?: string | undefined;
  /** OTEL_TRACES_SAMPLER_ARG: the share of traces, 0..1, of a ratio. */
  readonly samplerArg?: string | undefined;
}

/** A tracing setting that cannot be understood; the message says which and what would be right. */
export class TracingRefusedError extends Error {}

export function parseTraceparent(header: string | undefined): string | null {
  return header !== undefined && TRACEPARENT.test(header) ? header : null;
}

/** The trace that a context belongs to. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

const KINDS: readonly SpanKindName[] = ['internal', 'server', 'client', 'producer', 'consumer'];
/** An attribute is cut at so many characters. */
const ATTRIBUTE_LENGTH = 200;
/** Spans that wait for the collector; more are dropped. */
const MOST_WAITING = 8_192;

/**
 * The tracer of this process, or null where no collector is configured. OpenTelemetry is loaded only when a collector is
 * named, so that start-up and memory pay nothing otherwise.
 */
export async function createTracer({ service, endpoint, sampler, samplerArg }: TracerOptions): Promise<Tracer | null> {
  if (endpoint === undefined || endpoint === '') return null;
  const choice = readSampler(sampler, samplerArg);
  const [{ trace, ROOT_CONTEXT, SpanStatusCode }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const root = choice.ratio === null ? new sdk.AlwaysOnSampler() : new sdk.TraceIdRatioBasedSampler(choice.ratio);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: choice.parentBased ? new sdk.ParentBasedSampler({ root }) : root,
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize: MOST_WAITING })],
  });
  const tracer = provider.getTracer('heddle');
  return {
    startSpan(name, parent, { kind = 'internal', attributes, startMs } = {}) {
      const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remoteContext(parent));
      const span = tracer.startSpan(name, { kind: KINDS.indexOf(kind), attributes, startTime: startMs }, context);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: (more = {}, endMs) => {
          span.setAttributes(more);
          if (more['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end(endMs);
        },
      };
    },
    close: () => provider.shutdown(),
  };
}

function remoteContext(traceparent: string): {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote: boolean;
} {
  const [, traceId = '', spanId = '', flags = '00'] = TRACEPARENT.exec(traceparent) ?? [];
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** A ratio of null takes every trace. */
function readSampler(
  name: string | undefined,
  arg: string | undefined,
): { readonly parentBased: boolean; readonly ratio: number | null } {
  const wanted = name === undefined || name === '' ? 'parentbased_always_on' : name;
  const [, parent, root] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(wanted) ?? [];
  if (root === undefined) {
    throw new TracingRefusedError(
      `OTEL_TRACES_SAMPLER is "${wanted}": it must be always_on, always_off or traceidratio, or one of them with parentbased_ before it`,
    );
  }
  const parentBased = parent !== undefined;
  if (root !== 'traceidratio') return { parentBased, ratio: root === 'always_on' ? null : 0 };
  const ratio = arg === undefined || arg === '' ? 1 : Number(arg);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new TracingRefusedError(`OTEL_TRACES_SAMPLER_ARG is "${arg}": it must be a number from 0 to 1`);
  }
  return { parentBased, ratio };
}
