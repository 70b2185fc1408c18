import { connect } from 'node:net';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { afterEach, expect, it } from 'vitest';
import { CallFixture, GATEWAY_TOKEN, signalled } from '../calls.fixture.js';

const LENGTH = 90_000;

const fixture = new CallFixture();
afterEach(() => fixture.close());

it('a parcel is counted until its handler settles, even if its caller is gone before', async () => {
  const bodies = new BodyBudget(10 * LENGTH);
  const connections = new ConnectionGuard(CONNECTION_DEFAULTS);
  const [taken, finish] = [signalled(), signalled()];
  const handle = async (): Promise<{ head: null }> => {
    taken.resolve();
    await finish.promise;
    return { head: null };
  };
  const server = await fixture.server(
    (routes) => routes.route({ kind: 'plain', path: '/v1/slow', openTo: ['gateway'], handle }),
    { bodies, connections },
  );
  const { host, port } = new URL(server.url);
  const lines = ['POST /v1/slow HTTP/1.1', `host: ${host}`, `authorization: Bearer ${GATEWAY_TOKEN}`];
  const head = [...lines, 'content-type: application/json', `content-length: ${LENGTH}`].join('\r\n');
  const caller = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  caller.write(`${head}\r\n\r\n${'1'.padEnd(LENGTH)}`);
  await taken.promise;
  caller.resetAndDestroy();
  await expect.poll(() => connections.open).toBe(0);
  expect(bodies.held).toBe(LENGTH);
  finish.resolve();
  await expect.poll(() => bodies.held).toBe(0);
});
