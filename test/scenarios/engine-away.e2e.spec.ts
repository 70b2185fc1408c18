import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { jsonOf, textGraph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENT_HOST, startKeyed } from '../security/keyed-heddle.ts';
import type { KeyedHeddle } from '../security/keyed-heddle.ts';
import { RepinnedDeployment } from './repinned-heddle.ts';
import { runCli } from './run-cli.ts';

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a deployment whose engine does not answer', { timeout: 60_000 }, () => {
  let heddle: KeyedHeddle;
  let alpha: RepinnedDeployment;
  let engine: string;
  beforeAll(async () => {
    heddle = await startKeyed({ HEDDLE_COLD_START_S: '40' });
    engine = `http://127.0.0.1:${await freePort()}`;
    await heddle.admin('POST', 'deployments', { label: 'alpha', environment: { engine: `${engine}/` } });
    alpha = new RepinnedDeployment(heddle, 'alpha', await heddle.keyOf('acme'));
    await alpha.reached('a start', ({ status }) => status === 'starting');
  }, 60_000);
  afterAll(() => heddle.stop());

  it('names the engine, what is wrong, and what helps', async () => {
    const { reason } = await alpha.reached('the reason', (shown) => shown.reason.includes('ECONNREFUSED'));
    expect(reason).toBe(
      `the engine at ${engine} does not answer as an engine (GET /system_stats of the engine: no connection (ECONNREFUSED)): ` +
        'start it there, or repin the address of one that runs',
    );
  });

  it('refuses submissions as one that starts, after their form', async () => {
    const refused = await alpha.submit(textGraph());
    expect(refused.status).toBe(429);
    expect(jsonOf(refused)).toMatchObject({ error: { code: 'deployment_not_ready' } });
    expect(JSON.stringify(jsonOf(refused))).not.toContain(engine);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1);
    const malformed = { method: 'POST', target: '/api/v2/jobs', body: '{"workflow":3}' };
    const answer = await heddle.ask(alpha.key, { ...malformed, host: `alpha.${DEPLOYMENT_HOST}` });
    expect(answer.status).toBe(422);
  });

  it('is ready once another environment is pinned', async () => {
    await alpha.change('repin', { engine: 'builtin' });
    const ready = await alpha.reached('a ready deployment', ({ status }) => status === 'ready');
    expect(ready).toMatchObject({ revision: 2, reason: 'a worker of revision 2 polls' });
    expect((await alpha.submit(textGraph())).status).toBe(201);
  });

  it('is not asked for at the port of the public API', async () => {
    const env = { HEDDLE_ADMIN_URL: heddle.url, HEDDLE_ADMIN_TOKEN: 'a-token' };
    const { code, err } = await runCli(['deployments', 'show', 'alpha'], env);
    expect(code).toBe(3);
    expect(err).toContain(`heddle: ${heddle.url} answers as the public API, not as the admin API\n`);
    expect(err).toContain('HEDDLE_OPS_PORT');
  });
});
