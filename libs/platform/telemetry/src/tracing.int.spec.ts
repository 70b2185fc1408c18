import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTracer, parseTraceparent, TracingRefusedError } from './tracing.js';
import type { Tracer, TracerOptions } from './tracing.js';

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
  let collector: Server;
  let tracer: Tracer | null = null;
  beforeEach(async () => {
    bodies.length = 0;
    collector = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        bodies.push(`${request.url} ${body}`);
        response.end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  });
  afterEach(async () => {
    await tracer?.close();
    tracer = null;
    collector.closeAllConnections();
    await new Promise<void>((done) => collector.close(() => done()));
  });
  const open = async (more: Partial<TracerOptions> = {}): Promise<Tracer> => {
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
    tracer = await createTracer({ service: 'heddle-t', endpoint, ...more });
    if (tracer === null) throw new Error('there is no tracer');
    return tracer;
  };
  const sent = async (): Promise<string> => {
    await tracer?.close();
    tracer = null;
    return bodies.join('');
  };

  it('is none where no collector is named', async () => {
    expect(await createTracer({ service: 't', endpoint: undefined })).toBeNull();
    expect(await createTracer({ service: 't', endpoint: '' })).toBeNull();
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
    const open50 = await open({ sampler, samplerArg });
    const spans = Array.from({ length: 50 }, () => open50.startSpan('own', null));
    for (const span of spans) span.end();
    expect(spans.filter(({ traceparent }) => traceparent.endsWith('-01'))).toHaveLength(kept);
    expect([...(await sent()).matchAll(/"name":"own"/g)]).toHaveLength(kept);
  });

  it('keeps about the share that a ratio says', async () => {
    const half = await open({ sampler: 'parentbased_traceidratio', samplerArg: '0.5' });
    const kept = Array.from({ length: 2_000 }, () => half.startSpan('own', null).traceparent.endsWith('-01'));
    expect(kept.filter(Boolean).length).toBeGreaterThan(800);
    expect(kept.filter(Boolean).length).toBeLessThan(1_200);
  });

  it.each([
    ['sometimes', undefined, /OTEL_TRACES_SAMPLER is "sometimes"/],
    ['traceidratio', '2', /OTEL_TRACES_SAMPLER_ARG is "2"/],
    ['traceidratio', 'half', /OTEL_TRACES_SAMPLER_ARG is "half"/],
  ])('refuses %j with %j and says what is right', async (sampler, samplerArg, message) => {
    const made = createTracer({ service: 't', endpoint: 'http://127.0.0.1:9', sampler, samplerArg });
    await expect(made).rejects.toThrow(message);
    await expect(made).rejects.toBeInstanceOf(TracingRefusedError);
  });
});
