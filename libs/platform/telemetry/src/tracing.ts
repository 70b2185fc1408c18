/** W3C trace context, kept as its text: `00-<trace id>-<span id>-<flags>`. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface SpanHandle {
  /** Goes with messages and calls that belong to this span. */
  readonly traceparent: string;
  end(attributes?: Readonly<Record<string, string | number>>): void;
}

/** Makes spans when an exporter is configured, and passes trace context on in any case. */
export interface Tracer {
  /** Starts a server span under the caller's context. */
  startSpan(name: string, parent: string | null): SpanHandle;
  close(): Promise<void>;
}

export function parseTraceparent(header: string | undefined): string | null {
  return header !== undefined && TRACEPARENT.test(header) ? header : null;
}

/**
 * The tracer of this process, or null where no collector is configured. OpenTelemetry is loaded only when OTEL_EXPORTER_OTLP_ENDPOINT names a collector, so that
 * start-up and memory pay nothing otherwise.
 */
export async function createTracer(service: string, endpoint: string | undefined): Promise<Tracer | null> {
  if (endpoint === undefined || endpoint === '') return null;
  const [{ trace, ROOT_CONTEXT, SpanKind, TraceFlags }, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const processor = new sdk.BatchSpanProcessor({ exporter });
  const provider = new sdk.TracerProvider({ spanProcessors: [processor] });
  const tracer = provider.getTracer(service);
  return {
    startSpan(name, parent) {
      const match = parent === null ? null : TRACEPARENT.exec(parent);
      const context =
        match === null
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId: match[1]!,
              spanId: match[2]!,
              traceFlags: TraceFlags.SAMPLED,
              isRemote: true,
            });
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { 'service.name': service } }, context);
      const { traceId, spanId } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-01`,
        end: (attributes = {}) => {
          span.setAttributes(attributes);
          span.end();
        },
      };
    },
    close: () => provider.shutdown(),
  };
}
