import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'pub');
  for (const id of ['beta', 'Alpha']) await makeNode(registry, 'pub', id);
  await makeVersion(registry, 'beta', '1.0.0', { classes: ['Old'] });
  await makeVersion(registry, 'beta', '1.1.0', { classes: ['Shared'] });
  await makeVersion(registry, 'Alpha', '1.0.0', { classes: ['Shared'] });
});
afterAll(() => registry.close());

describe('the node of a class', () => {
  const of = async (name: string) => {
    const { status, body } = await get(registry, `/wf-nodes/${name}/node`);
    return status === 200 ? (body as { id: string }).id : status;
  };

  it('is the oldest, then the one with most downloads, then the one that reserves the name', async () => {
    expect(await of('Shared')).toBe('beta');
    await get(registry, '/nodes/alpha/install');
    expect(await of('Shared')).toBe('Alpha');
    await registry.log.commit(async (unit) => {
      const node = (await unit.node('beta'))!;
      const ranks = { search_ranking: 0, preempted: ['Shared'], tags_admin: [] };
      await unit.changeNode(node, [{ type: 'NodeChanged', data: { actor: 'admin', text: null, ranks } }]);
    });
    expect(await of('Shared')).toBe('beta');
  });

  it('is nowhere for other names, and for those of older versions', async () => {
    expect([await of('shared'), await of('Old')]).toEqual([404, 404]);
  });
});
