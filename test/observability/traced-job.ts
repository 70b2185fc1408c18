import { randomBytes } from 'node:crypto';
import { eventually, isTerminalFrame, pictureGraph, sleepingGraph } from '@heddle/testing-api';
import type { HeddleClient } from '@heddle/testing-api';
import type { CollectedSpan, TraceCollector } from './trace-collector.js';

export interface TracedJob {
  readonly id: string;
  /** Trace id that the client chose */
  readonly traceId: string;
  /** The client's span, the parent of Heddle's first span */
  readonly clientSpan: string;
  readonly spans: readonly CollectedSpan[];
}

/** Settings that export spans soon. */
export function tracedTo(endpoint: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    HEDDLE_TEST_NODES: '1',
  };
}

const OF_EACH_JOB = [
  'POST /api/v2/jobs',
  'commit JobSubmitted',
  'run attempt',
  'run node',
  'store output',
  'job.terminal.frame',
  'commit JobSucceeded',
];
/** Long enough to open the stream during the run on a busy machine: only an open stream has a span of its last frame. */
const RUNS_S = 10;
const WITHIN_MS = 60_000;

/**
 * Runs a job with a picture and a text, watches its stream to the last frame, and waits for its spans, which each process
 * sends separately. Every span must have its parent, every given service a span, and every follower its span of the job's
 * end.
 */
export async function traceJob(
  client: HeddleClient,
  collector: TraceCollector,
  { endsWith, services }: { readonly endsWith: readonly string[]; readonly services: readonly string[] },
): Promise<TracedJob> {
  const traceId = randomBytes(16).toString('hex');
  const clientSpan = randomBytes(8).toString('hex');
  const pictures = Object.fromEntries(
    Object.entries(pictureGraph()).map(([id, { class_type, inputs }]) => {
      const images = (inputs as { images?: unknown }).images === undefined ? inputs : { ...inputs, images: ['11', 0] };
      return [`1${id}`, { class_type, inputs: images }];
    }),
  );
  const graph = { ...pictures, ...sleepingGraph(RUNS_S) };
  const headers = { traceparent: `00-${traceId}-${clientSpan}-01` };
  const { id } = await client.submitted(graph, { headers });
  const stream = await client.events(id);
  await stream.until('the last frame', isTerminalFrame, WITHIN_MS);
  const missing = (): readonly string[] => missingOf(collector.traced(traceId), { clientSpan, endsWith, services });
  await eventually('every span of the job', () => missing().length === 0, WITHIN_MS).catch((cause: unknown) => {
    throw new Error(`of the job's trace are missing: ${missing().join(', ')}`, { cause });
  });
  return { id, traceId, clientSpan, spans: collector.traced(traceId) };
}

function missingOf(
  spans: readonly CollectedSpan[],
  expected: { readonly clientSpan: string; readonly endsWith: readonly string[]; readonly services: readonly string[] },
): readonly string[] {
  const known = new Set([expected.clientSpan, ...spans.map(({ spanId }) => spanId)]);
  const names = new Set(spans.map(({ name }) => name));
  const from = new Set(spans.map(({ service }) => service));
  const ends = new Set(
    spans.filter(({ attributes }) => attributes['heddle.message_type'] === 'JobSucceeded').map(({ name }) => name),
  );
  return [
    ...OF_EACH_JOB.filter((name) => !names.has(name)),
    ...expected.services.filter((service) => !from.has(service)),
    ...expected.endsWith.filter((name) => !ends.has(name)).map((name) => `${name} (JobSucceeded)`),
    ...spans.filter(({ parentId }) => !known.has(parentId)).map(({ name }) => `the parent of ${name}`),
  ];
}

/** Names of the spans from a span up to the root. */
export function pathOf(span: CollectedSpan, spans: readonly CollectedSpan[]): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return parent === undefined ? [span.name] : [...pathOf(parent, spans), span.name];
}
