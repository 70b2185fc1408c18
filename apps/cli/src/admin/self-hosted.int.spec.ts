import { afterAll, beforeAll, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

let selfHosted: HostileServer;

beforeAll(async () => {
  selfHosted = await hostileServer(({ url }, response) =>
    url === '/admin/v1'
      ? sendJson(response, 200, {})
      : sendJson(response, 404, {
          error: { code: 'not_found', message: 'There is nothing here, or it is not yours.' },
        }),
  );
});

afterAll(async () => await selfHosted.close());

it.each([
  ['accounts list', 'accounts'],
  ['accounts suspend acme', 'accounts'],
  ['keys list', 'API keys'],
  ['deployments list', 'deployments'],
  ['credits show acme', 'credits'],
  ['credits check', 'credits'],
])('heddle %s says that self-hosted has no %s, not which command lists them', async (line, things) => {
  const env = { HEDDLE_ADMIN_URL: selfHosted.url, HEDDLE_ADMIN_TOKEN: 'an-admin-token-of-a-test' };
  const message = `the admin API at ${selfHosted.url} has no ${things}`;
  const hint = 'the self-hosted surface has none: they exist on managed and dedicated (HEDDLE_SURFACE)';
  const { code, err } = await heddleInProcess(line.split(' '), env);
  expect({ code, err }).toEqual({ code: 1, err: `heddle: ${message}\n        ${hint}\n` });
  const { out } = await heddleInProcess([...line.split(' '), '--json'], env);
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'not_found', hint } });
});
