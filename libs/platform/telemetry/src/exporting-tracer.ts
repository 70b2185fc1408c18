import { context, createNoopMeter, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/api';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { LostSpans } from './lost-spans.js';
import { batchSetting, refuseUnknownSampler, spanExporterName } from './otel-settings.js';
import type { SpanExporterName } from './otel-settings.js';
import type { SpanKindName, Tracer, TracerOptions } from './tracer.js';

const KINDS: readonly SpanKindName[] = ['internal', 'server', 'client', 'producer', 'consumer'];
/** Maximum characters of an attribute. */
const ATTRIBUTE_LENGTH = 200;
/** Maximum spans waiting for the collector; further ones are lost. */
const MAX_WAITING = 8_192;
/** Maximum wait for the collector at shutdown: parts that stop later need their time. */
const FLUSH_TIMEOUT_MS = 3_000;

const EXPORTERS: Readonly<Record<SpanExporterName, () => SpanExporter>> = {
  console: () => new ConsoleSpanExporter(),
  grpc: () => new GrpcExporter(),
  'http/json': () => new JsonExporter(),
  'http/protobuf': () => new ProtobufExporter(),
};

/** Starts OpenTelemetry from the OTEL_ settings. Metrics and logs are exported separately. */
export function startExportingTracer({ service, version, losses }: TracerOptions): Tracer {
  const { env } = process;
  refuseUnknownSampler(env);
  let waiting = 0;
  const exporter = watched(EXPORTERS[spanExporterName(env)](), losses, (spans) => (waiting -= spans));
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: batchSetting(env, 'MAX_QUEUE_SIZE') ?? MAX_WAITING,
    scheduledDelayMillis: batchSetting(env, 'SCHEDULE_DELAY'),
    exportTimeoutMillis: batchSetting(env, 'EXPORT_TIMEOUT'),
    maxExportBatchSize: batchSetting(env, 'MAX_EXPORT_BATCH_SIZE'),
    selfObsMeterProvider: countsDropped((spans) => {
      waiting -= spans;
      losses.lost(spans, 'queue_full', 'too many spans wait for the trace collector');
    }),
  });
  const sdk = new NodeSDK({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service, 'service.version': version })),
    // The process and host detectors would send the command line, which may contain a token.
    ...(env['OTEL_NODE_RESOURCE_DETECTORS'] ? {} : { resourceDetectors: [serviceInstanceIdDetector, envDetector] }),
    ...(env['OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT'] || env['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT']
      ? {}
      : { spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH } }),
    spanProcessors: [processor],
    metricReaders: [],
    logRecordProcessors: [],
    textMapPropagator: null,
  });
  sdk.start();
  const tracer = trace.getTracer('heddle', version);
  return {
    startSpan(name, parent, { kind = 'internal', attributes, startMs } = {}) {
      const under = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remoteContext(parent));
      const span = tracer.startSpan(name, { kind: KINDS.indexOf(kind), attributes, startTime: startMs }, under);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: (more = {}, endMs) => {
          span.setAttributes(more);
          if (more['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
          if (traceFlags === 1) waiting += 1;
          span.end(endMs);
        },
      };
    },
    close: async () => {
      const late = new Promise<'late'>((done) => setTimeout(done, FLUSH_TIMEOUT_MS, 'late').unref());
      // Batches that the collector refuses are counted where they are sent.
      const end = await Promise.race([sdk.shutdown().catch(() => null), late]);
      if (end === 'late' && waiting > 0) losses.lost(waiting, 'stopped', 'the trace collector did not answer in time');
      trace.disable();
      context.disable();
    },
  };
}

/** Wraps the exporter so that every batch counts as sent or lost. */
function watched(exporter: SpanExporter, losses: LostSpans, taken: (spans: number) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        taken(spans.length);
        if (result.code === 0) losses.sent();
        else losses.lost(spans.length, 'export_failed', result.error?.message ?? 'no reason was given');
        done(result);
      }),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: async () => await exporter.shutdown(),
  };
}

/** The processor reports spans dropped by a full queue only in its own metrics. */
function countsDropped(dropped: (spans: number) => void): MeterProvider {
  const meter = createNoopMeter();
  meter.createCounter = () => ({
    add: (spans, attributes) => {
      if (attributes?.['error.type'] === 'queue_full') dropped(spans);
    },
  });
  return { getMeter: () => meter };
}

function remoteContext(traceparent: string): {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote: boolean;
} {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
