import { afterEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';

describe('heddle registry show', () => {
  let server: HostileServer | null = null;
  afterEach(() => server?.close());

  it('says of the path of another route that no node is there', async () => {
    server = await hostileServer((_, response) => sendJson(response, 200, { nodes: [], total: 0, page: 1, limit: 10 }));
    const { code, out, err } = await heddleInProcess(['registry', 'show', 'search'], {
      HEDDLE_REGISTRY_URL: server.url,
    });
    expect([code, out, err]).toEqual([1, '', expect.stringContaining('no node search here')]);
  });
});
