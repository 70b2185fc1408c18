import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root */
  readonly parentId: string;
  readonly name: string;
  readonly service: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}
interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A minimal collector of OTLP over HTTP with JSON, which keeps every span */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Request bodies in order of arrival */
  readonly bodies: string[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (request.url === '/v1/traces') this.#take(body);
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  /** Traces with a span that names the job */
  tracesOf(jobId: string): ReadonlySet<string> {
    return new Set(this.spans.filter((span) => Object.values(span.attributes).includes(jobId)).map((s) => s.traceId));
  }

  traced(traceId: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  #take(body: string): void {
    this.bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpRequest).resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          traceId: span.traceId,
          spanId: span.spanId,
          parentId: span.parentSpanId ?? '',
          name: span.name,
          service,
          kind: span.kind,
          startMs: Number(span.startTimeUnixNano) / 1e6,
          endMs: Number(span.endTimeUnixNano) / 1e6,
          attributes: valuesOf(span.attributes),
        });
      }
    }
  }
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? doubleValue ?? Number(intValue),
    ]),
  );
}

/** Prints the spans of a trace as indented text: offset from the first span, duration, process. */
export function renderTrace(spans: readonly CollectedSpan[]): string {
  const began = Math.min(...spans.map(({ startMs }) => startMs));
  const known = new Set(spans.map(({ spanId }) => spanId));
  const below = (parentId: string | null): readonly CollectedSpan[] =>
    spans
      .filter((span) => (parentId === null ? !known.has(span.parentId) : span.parentId === parentId))
      .sort((one, other) => one.startMs - other.startMs);
  const lines = (span: CollectedSpan, depth: number): readonly string[] => {
    const at = `+${(span.startMs - began).toFixed(1)}`.padStart(9);
    const took = `${Math.max(0, span.endMs - span.startMs).toFixed(1)} ms`.padStart(11);
    const facts = ['heddle.node_class', 'heddle.message_type', 'heddle.status', 'heddle.outcome']
      .flatMap((name) => (span.attributes[name] === undefined ? [] : [String(span.attributes[name])]))
      .join(' ');
    const name = `${'  '.repeat(depth)}${span.name}${facts === '' ? '' : ` (${facts})`}`;
    return [
      `${at} ${took}  ${span.service.replace('heddle-', '').padEnd(10)}  ${name}`,
      ...below(span.spanId).flatMap((child) => lines(child, depth + 1)),
    ];
  };
  return below(null)
    .flatMap((span) => lines(span, 0))
    .join('\n');
}
