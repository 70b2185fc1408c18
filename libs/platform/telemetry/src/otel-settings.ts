import type { ProcessVariables } from './process-variables.js';

/** A tracing setting is not valid; the message names it and the expected values. */
export class TracingRefusedError extends Error {}

export type SpanExporterName = 'console' | OtlpProtocol;
type OtlpProtocol = 'grpc' | 'http/json' | 'http/protobuf';

const PROTOCOLS: readonly string[] = ['grpc', 'http/json', 'http/protobuf'] satisfies OtlpProtocol[];

/** True if an endpoint or an exporter for spans is set. */
export function exportsSpans(env: ProcessVariables): boolean {
  if (variableText(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const exporter = variableText(env, 'OTEL_TRACES_EXPORTER');
  if (exporter !== undefined) return exporter !== 'none';
  return ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some((name) => variableText(env, name));
}

/** OTEL_TRACES_EXPORTER and, for `otlp`, the protocol. */
export function spanExporterName(env: ProcessVariables): SpanExporterName {
  const exporter = variableText(env, 'OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (exporter === 'console') return 'console';
  if (exporter !== 'otlp') {
    throw new TracingRefusedError(`OTEL_TRACES_EXPORTER is "${exporter}": it must be otlp, console or none`);
  }
  const setting =
    variableText(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  const protocol = variableText(env, setting) ?? 'http/protobuf';
  if (!PROTOCOLS.includes(protocol)) {
    throw new TracingRefusedError(`${setting} is "${protocol}": it must be one of ${PROTOCOLS.join(', ')}`);
  }
  return protocol as OtlpProtocol;
}

/** The SDK silently falls back to a default for an unknown sampler; an operator must know. */
export function refuseUnknownSampler(env: ProcessVariables): void {
  const sampler = variableText(env, 'OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  if (!/^(parentbased_)?(always_on|always_off|traceidratio)$/.test(sampler)) {
    throw new TracingRefusedError(
      `OTEL_TRACES_SAMPLER is "${sampler}": it must be always_on, always_off or traceidratio, or one of them with parentbased_ before it`,
    );
  }
  const ratio = variableText(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
  if (sampler.endsWith('traceidratio') && !(Number(ratio) >= 0 && Number(ratio) <= 1)) {
    throw new TracingRefusedError(`OTEL_TRACES_SAMPLER_ARG is "${ratio}": it must be a number from 0 to 1`);
  }
}

/** Numeric OTEL_BSP_ settings; undefined keeps the SDK's default. */
export function batchSetting(env: ProcessVariables, name: string): number | undefined {
  const text = variableText(env, `OTEL_BSP_${name}`);
  if (text === undefined) return undefined;
  if (!(Number(text) > 0)) throw new TracingRefusedError(`OTEL_BSP_${name} is "${text}": it must be a number above 0`);
  return Number(text);
}

function variableText(env: ProcessVariables, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
