import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LostSpans } from './lost-spans.js';
import { MetricsRegistry } from './metrics.js';
import { TracingRefusedError } from './otel-settings.js';
import { parseTraceparent } from './trace-context.js';
import type { Tracer } from './tracer.js';
import { createTracer } from './tracing.js';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSAMPLED = `${PARENT.slice(0, -1)}0`;

describe('trace context', () => {
  it.each([undefined, '', 'x', PARENT.toUpperCase(), `${PARENT}-more`, PARENT.replace('00-', 'ff-')])(
    'is not read from %j',
    (header) => expect(parseTraceparent(header)).toBeNull(),
  );

  it('is read from a W3C header', () => expect(parseTraceparent(PARENT)).toBe(PARENT));
});

describe('the tracer', () => {
  const bodies: string[] = [];
  const said: string[] = [];
  let collector: Server;
  let answer: number | 'none' = 200;
  let metrics: MetricsRegistry;
  let tracer: Tracer | null = null;
  beforeEach(async () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) vi.stubEnv(name, '');
    bodies.length = said.length = 0;
    answer = 200;
    collector = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        bodies.push(`${request.url} ${body}`);
        if (answer === 'none') return;
        response.statusCode = answer;
        response.end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  });
  afterEach(async () => {
    await tracer?.close();
    tracer = null;
    vi.unstubAllEnvs();
    collector.closeAllConnections();
    await new Promise<void>((done) => collector.close(() => done()));
  });
  const create = async (env: Readonly<Record<string, string>>): Promise<Tracer | null> => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(`OTEL_${name}`, value);
    metrics = new MetricsRegistry();
    const counter = metrics.counter({ name: 'lost_total', help: 'x', labelNames: ['reason'] });
    const note = (_: object, what?: string): void => void said.push(String(what));
    const losses = new LostSpans(counter, { warn: note, info: note } as never);
    tracer = await createTracer({ service: 'heddle-t', version: '1.2.3', losses });
    return tracer;
  };
  const address = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
  const open = async (more: Readonly<Record<string, string>> = {}): Promise<Tracer> => {
    const env = { EXPORTER_OTLP_ENDPOINT: address(), EXPORTER_OTLP_PROTOCOL: 'http/json', ...more };
    const made = await create(env);
    if (made === null) throw new Error('there is no tracer');
    return made;
  };
  const sent = async (): Promise<string> => {
    await tracer?.close();
    tracer = null;
    return bodies.join('');
  };
  const until = async (holds: () => boolean): Promise<void> => {
    await vi.waitFor(() => expect(holds()).toBe(true), { timeout: 10_000 });
  };

  it.each<Record<string, string>>([
    {},
    { EXPORTER_OTLP_ENDPOINT: '' },
    { EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', SDK_DISABLED: 'true' },
    { EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', TRACES_EXPORTER: 'none' },
  ])('is none if no exporter is configured: %j', async (env) => expect(await create(env)).toBeNull());

  it('sends to the endpoint of traces as it is, in protobuf if nothing else is said', async () => {
    (await create({ EXPORTER_OTLP_TRACES_ENDPOINT: `${address()}mine` }))?.startSpan('own', null).end();
    expect(await sent()).toMatch(/^\/mine \n/);
  });

  it('has a resource with name, version and instance, and what the operator adds', async () => {
    (await open({ RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod' })).startSpan('own', null).end();
    const body = await sent();
    expect(body).toMatch(/"service\.name","value":\{"stringValue":"heddle-t"/);
    expect(body).toMatch(/"service\.version","value":\{"stringValue":"1\.2\.3"/);
    expect(body).toMatch(/"service\.instance\.id","value":\{"stringValue":"[0-9a-f-]{36}"/);
    expect(body).toMatch(/"deployment\.environment\.name","value":\{"stringValue":"prod"/);
    expect(body).not.toMatch(/process\.command/);
  });

  it('has the name of the service that the operator chose', async () => {
    (await open({ SERVICE_NAME: 'mine' })).startSpan('own', null).end();
    expect(await sent()).toMatch(/"service\.name","value":\{"stringValue":"mine"/);
  });

  it('counts the spans that the collector refuses, and logs it once until it takes them again', async () => {
    answer = 400;
    const own = await open({ BSP_SCHEDULE_DELAY: '10' });
    for (let batch = 1; batch <= 3; batch += 1) {
      own.startSpan('lost', null).end();
      await until(() => bodies.length === batch);
    }
    await vi.waitFor(async () => expect(await metrics.metrics()).toContain('lost_total{reason="export_failed"} 3'));
    expect(said).toEqual(['spans are lost: the trace collector does not accept them']);
    answer = 200;
    own.startSpan('kept', null).end();
    await until(() => said.length === 2);
    expect(said[1]).toBe('the trace collector accepts spans again');
  });

  it('counts the spans that found no room, and waits a bounded time for a collector that does not answer', async () => {
    answer = 'none';
    const own = await open({ BSP_MAX_QUEUE_SIZE: '10', BSP_MAX_EXPORT_BATCH_SIZE: '10' });
    for (let n = 0; n < 30; n += 1) own.startSpan('lost', null).end();
    const started = performance.now();
    await sent();
    expect(performance.now() - started).toBeLessThan(5_000);
    const text = await metrics.metrics();
    const counted = [...text.matchAll(/^lost_total\{.*\} (\d+)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0);
    expect(text).toMatch(/lost_total\{reason="queue_full"\} (10|20)$/m);
    expect(counted).toBe(30);
    expect(said).toHaveLength(1);
  });

  it('puts spans under the context that it is given, and sends them under the name of its service', async () => {
    const span = (await open()).startSpan('submitJob', PARENT, {
      kind: 'server',
      attributes: { a: 1, none: undefined },
    });
    expect(span.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    span.end({ status: 201 });
    const body = await sent();
    expect(body).toMatch(/^\/v1\/traces /);
    for (const part of ['submitJob', '0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331', 'heddle-t']) {
      expect(body).toContain(part);
    }
  });

  it('takes the times of work that is over, marks failures, and cuts long attributes', async () => {
    const span = (await open()).startSpan('late', PARENT, { startMs: 1_700_000_000_000 });
    span.end({ 'error.type': 'Broken', long: 'x'.repeat(10_000) }, 1_700_000_000_250);
    const body = await sent();
    expect(body).toContain('"startTimeUnixNano":"1700000000000000000"');
    expect(body).toContain('"endTimeUnixNano":"1700000000250000000"');
    expect(body).toMatch(/"status":\{"code":2/);
    expect(body.length).toBeLessThan(5_000);
  });

  it('follows the client: what it did not sample is not sent, and what is called next is told so', async () => {
    const span = (await open()).startSpan('quiet', UNSAMPLED);
    expect(span.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
    span.end();
    expect(await sent()).not.toContain('quiet');
  });

  it.each([
    ['always_off', undefined, 0],
    ['parentbased_always_off', undefined, 0],
    ['traceidratio', '0', 0],
    ['parentbased_traceidratio', '1', 50],
    ['always_on', undefined, 50],
    ['', '', 50],
  ])('keeps of its own traces what %j with %j says', async (sampler, samplerArg, kept) => {
    const open50 = await open({ TRACES_SAMPLER: sampler, TRACES_SAMPLER_ARG: samplerArg ?? '' });
    const spans = Array.from({ length: 50 }, () => open50.startSpan('own', null));
    for (const span of spans) span.end();
    expect(spans.filter(({ traceparent }) => traceparent.endsWith('-01'))).toHaveLength(kept);
    expect([...(await sent()).matchAll(/"name":"own"/g)]).toHaveLength(kept);
  });

  it('keeps about the share that a ratio says', async () => {
    const half = await open({ TRACES_SAMPLER: 'parentbased_traceidratio', TRACES_SAMPLER_ARG: '0.5' });
    const kept = Array.from({ length: 2_000 }, () => half.startSpan('own', null).traceparent.endsWith('-01'));
    expect(kept.filter(Boolean).length).toBeGreaterThan(800);
    expect(kept.filter(Boolean).length).toBeLessThan(1_200);
  });

  it.each([
    [{ TRACES_SAMPLER: 'sometimes' }, /OTEL_TRACES_SAMPLER is "sometimes"/],
    [{ TRACES_SAMPLER: 'traceidratio', TRACES_SAMPLER_ARG: '2' }, /OTEL_TRACES_SAMPLER_ARG is "2"/],
    [{ TRACES_SAMPLER: 'traceidratio', TRACES_SAMPLER_ARG: 'half' }, /OTEL_TRACES_SAMPLER_ARG is "half"/],
    [{ TRACES_EXPORTER: 'carrier' }, /OTEL_TRACES_EXPORTER is "carrier"/],
    [{ EXPORTER_OTLP_PROTOCOL: 'smoke' }, /OTEL_EXPORTER_OTLP_PROTOCOL is "smoke"/],
    [{ BSP_MAX_QUEUE_SIZE: '-1' }, /OTEL_BSP_MAX_QUEUE_SIZE is "-1"/],
  ])('refuses %j and says what is right', async (env, message) => {
    const made = open(env);
    await expect(made).rejects.toThrow(message);
    await expect(made).rejects.toBeInstanceOf(TracingRefusedError);
  });
});
