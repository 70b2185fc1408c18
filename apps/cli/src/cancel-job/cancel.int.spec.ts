import { afterEach, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

const ID = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';

let service: HostileServer;

afterEach(() => service.close());

it.each([
  ['succeeded', `${ID} had already ended: succeeded`],
  ['failed', `${ID} had already ended: failed`],
  ['canceled', `${ID} canceled`],
  ['running', `${ID} running`],
])('heddle cancel of a job that is %s says %j', async (status, line) => {
  service = await hostileServer((_, response) => sendJson(response, 200, { id: ID, status }));
  const env = { HEDDLE_URL: service.url };
  expect(await heddleInProcess(['cancel', ID], env)).toEqual({ code: 0, out: `${line}\n`, err: '' });
  const { out } = await heddleInProcess(['cancel', ID, '--json'], env);
  expect(JSON.parse(out)).toEqual({ id: ID, status });
});
