import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createTracer, parseTraceparent } from './tracing.js';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('trace context', () => {
  it.each([undefined, '', 'x', PARENT.toUpperCase(), `${PARENT}-more`, PARENT.replace('00-', 'ff-')])(
    'is not read from %j',
    (header) => expect(parseTraceparent(header)).toBeNull(),
  );

  it('is read from a W3C header', () => expect(parseTraceparent(PARENT)).toBe(PARENT));

  it('costs nothing where no collector is named', async () => {
    expect(await createTracer({ service: 't', endpoint: undefined })).toBeNull();
    expect(await createTracer({ service: 't', endpoint: '' })).toBeNull();
  });

  it('goes on in spans that reach the collector', async () => {
    const bodies: string[] = [];
    const collector = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        bodies.push(`${request.url} ${body}`);
        response.end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
    const tracer = await createTracer({
      service: 'heddle-t',
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
    });
    const span = tracer?.startSpan('submitJob', PARENT);
    expect(span?.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    span?.end({ status: 201 });
    await tracer?.close();
    collector.close();
    expect(bodies[0]).toMatch(/^\/v1\/traces /);
    expect(bodies[0]).toContain('submitJob');
    expect(bodies[0]).toContain('0af7651916cd43dd8448eb211c80319c');
  });
});
