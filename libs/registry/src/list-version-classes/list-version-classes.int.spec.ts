import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'pub');
  await makeNode(registry, 'pub', 'beta');
  await makeVersion(registry, 'beta', '1.1.0', { classes: ['b', 'a', 'B', 'Shared'] });
});
afterAll(() => registry.close());

describe('the classes of a version', () => {
  it('come in pages, and one by one', async () => {
    const of = '/nodes/BETA/versions/1.1.0/wf-nodes';
    expect((await get(registry, `${of}?limit=3&page=2`)).body).toMatchObject({
      wf_nodes: [{ wf_node_name: 'b', node_id: 'beta', node_version: '1.1.0' }],
      total: 4,
      totalNumberOfPages: 2,
    });
    expect((await get(registry, `${of}?page=9`)).body).toEqual({ wf_nodes: [], total: 4, totalNumberOfPages: 1 });
    expect((await get(registry, `${of}/Shared`)).body).toMatchObject({ wf_node_name: 'Shared', unknown: [] });
    for (const missing of [`${of}/shared`, '/nodes/beta/versions/9.0.0/wf-nodes']) {
      expect(await get(registry, missing)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
    expect((await get(registry, `${of}?page=0`)).status).toBe(400);
  });
});
