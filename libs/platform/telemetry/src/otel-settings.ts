type Environment = Readonly<Record<string, string | undefined>>;

/** A tracing setting that cannot be understood; the message says which and what would be right. */
export class TracingRefusedError extends Error {}

export type SpanExporterName = 'console' | OtlpProtocol;
type OtlpProtocol = 'grpc' | 'http/json' | 'http/protobuf';

const PROTOCOLS: readonly string[] = ['grpc', 'http/json', 'http/protobuf'] satisfies OtlpProtocol[];

/** True if somebody named an endpoint or an exporter for spans. */
export function exportsSpans(env: Environment): boolean {
  if (textOf(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const exporter = textOf(env, 'OTEL_TRACES_EXPORTER');
  if (exporter !== undefined) return exporter !== 'none';
  return ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some((name) => textOf(env, name));
}

/** OTEL_TRACES_EXPORTER and, for `otlp`, the protocol. */
export function spanExporterName(env: Environment): SpanExporterName {
  const exporter = textOf(env, 'OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (exporter === 'console') return 'console';
  if (exporter !== 'otlp') {
    throw new TracingRefusedError(`OTEL_TRACES_EXPORTER is "${exporter}": it must be otlp, console or none`);
  }
  const setting =
    textOf(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  const protocol = textOf(env, setting) ?? 'http/protobuf';
  if (!PROTOCOLS.includes(protocol)) {
    throw new TracingRefusedError(`${setting} is "${protocol}": it must be one of ${PROTOCOLS.join(', ')}`);
  }
  return protocol as OtlpProtocol;
}

/** The SDK falls back to a default where it does not understand a sampler; an operator has to know that. */
export function refuseUnknownSampler(env: Environment): void {
  const sampler = textOf(env, 'OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  if (!/^(parentbased_)?(always_on|always_off|traceidratio)$/.test(sampler)) {
    throw new TracingRefusedError(
      `OTEL_TRACES_SAMPLER is "${sampler}": it must be always_on, always_off or traceidratio, or one of them with parentbased_ before it`,
    );
  }
  const ratio = textOf(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
  if (sampler.endsWith('traceidratio') && !(Number(ratio) >= 0 && Number(ratio) <= 1)) {
    throw new TracingRefusedError(`OTEL_TRACES_SAMPLER_ARG is "${ratio}": it must be a number from 0 to 1`);
  }
}

/** Numbers of OTEL_BSP_; undefined keeps the default of the SDK. */
export function batchSetting(env: Environment, name: string): number | undefined {
  const text = textOf(env, `OTEL_BSP_${name}`);
  if (text === undefined) return undefined;
  if (!(Number(text) > 0)) throw new TracingRefusedError(`OTEL_BSP_${name} is "${text}": it must be a number above 0`);
  return Number(text);
}

function textOf(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
