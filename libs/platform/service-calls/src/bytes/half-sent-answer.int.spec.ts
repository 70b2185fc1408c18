import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { CallFixture, GATEWAY_TOKEN } from '../calls.fixture.js';

const fixture = new CallFixture();
afterEach(() => fixture.close());

it('no refusal is written into an answer that has begun', async () => {
  const body = new PassThrough();
  body.write('begun');
  const handle = async () => await Promise.resolve({ head: null, body });
  const server = await fixture.port([{ kind: 'download', path: '/v1/d', openTo: ['gateway'], handle }]);
  const { host, port } = new URL(server.url);
  const lines = ['POST /v1/d HTTP/1.1', `host: ${host}`, `authorization: Bearer ${GATEWAY_TOKEN}`];
  const caller = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  let came = '';
  caller.setEncoding('latin1').on('data', (text: string) => (came += text));
  caller.write(`${lines.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`);
  await expect.poll(() => came).toContain('begun');
  caller.write('no request\r\n\r\n');
  await once(caller, 'close');
  expect(came).not.toContain('Refused');
});
