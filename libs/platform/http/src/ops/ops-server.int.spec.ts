import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '../connections/connection-guard.js';
import { presenceOf, startOpsServer } from './ops-server.js';

describe('the ops port (decisions, Every service)', () => {
  let server: Server;
  let url: string;
  let lacking: string | null = 'the database does not answer';
  let failure: Error | null = new Error('no disk');
  let starting: string | null = null;
  beforeAll(async () => {
    const metrics = new MetricsRegistry();
    metrics.counter({ name: 'heddle_test_total', help: 'A test' }).inc();
    const failing = { name: 'disk', check: () => (failure === null ? null : Promise.reject(failure)) };
    const readiness = [{ name: 'database', check: () => lacking }, failing];
    const connections = new ConnectionGuard(CONNECTION_DEFAULTS);
    const notServing = (): string | null => starting;
    server = await startOpsServer({ host: '127.0.0.1', port: 0, metrics, readiness, connections, notServing });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('lives as long as the event loop turns, whatever it waits for', async () => {
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });

  it('names what it waits for, and a check that fails is waited for', async () => {
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).toBe(503);
    const { waiting_for: waiting } = (await answer.json()) as { waiting_for: { name: string }[] };
    expect(waiting.map(({ name }) => name)).toEqual(['database', 'disk']);
    lacking = null;
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
      ready: false,
      waiting_for: [{ name: 'disk' }],
    });
  });

  it('refuses a key in the target, and repeats nothing of it', async () => {
    for (const target of ['/readyz?hdl_a_b_c', '/metrics?hdl_a_b_c', '/hdl_a_b_c']) {
      const answer = await fetch(`${url}${target}`);
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain('a_b');
    }
  });

  it('is not ready where nothing is missing and nobody is served', async () => {
    [lacking, failure, starting] = [null, null, 'it is still starting'];
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).toBe(503);
    const waiting = [{ name: 'service', reason: 'it is still starting' }];
    expect(await answer.json()).toEqual({ ready: false, waiting_for: waiting, degraded: [] });
    const call = await fetch(`${url}/admin/v1/accounts`, { method: 'POST', body: '{}' });
    expect([call.status, call.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await call.text()).toBe('it is still starting: admin calls are answered once /readyz is 200\n');
    starting = null;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('shows the metrics as Prometheus text, and nothing else', async () => {
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toContain('heddle_test_total 1\n');
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
  });
});

it('says of each dependency that is needed whether it is there', async () => {
  const checks = [
    { name: 'database', check: () => null },
    { name: 'database of accounts', check: () => Promise.resolve('it does not answer') },
    { name: 'blob store', check: () => Promise.reject(new Error('no disk')) },
    { name: 'kafka', optional: true, check: () => 'no broker' },
  ];
  expect(await presenceOf(checks)).toEqual([
    [{ dependency: 'database' }, 1],
    [{ dependency: 'database of accounts' }, 0],
    [{ dependency: 'blob store' }, 0],
  ]);
});
