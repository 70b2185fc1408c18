import { banNode, deleteNode } from '@heddle/registry-domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { OWNER, testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

const MEMBER = { headers: { authorization: `Bearer ${OWNER}` } };

describe('a node', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
    await makePublisher(registry, 'pub');
    for (const id of ['Pack', 'banned', 'deleted']) await makeNode(registry, 'pub', id);
    await makeVersion(registry, 'Pack', '1.0.0');
    await makeVersion(registry, 'Pack', '2.0.0-rc.1');
    await registry.log.commit(async (unit) => {
      const [banned, deleted] = [(await unit.node('banned'))!, (await unit.node('deleted'))!];
      await unit.changeNode(banned, banNode(banned.state, 'admin', 'malware').events);
      await unit.changeNode(deleted, deleteNode(deleted.state, 'heddle').events);
    });
  });
  afterAll(() => registry.close());

  it('is shown under any case of its id, with its publisher and its latest version', async () => {
    expect(await get(registry, '/nodes/PACK')).toMatchObject({
      status: 200,
      body: { id: 'Pack', publisher: { id: 'pub' }, latest_version: { version: '1.0.0' } },
    });
  });

  it('that is deleted or unknown is not found, also by members', async () => {
    for (const path of ['/nodes/deleted', '/nodes/nobody'])
      for (const init of [{}, MEMBER])
        expect(await get(registry, path, init)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('that is banned is refused, and members are told why', async () => {
    const told = async (init = {}) => await get(registry, '/nodes/banned', init);
    expect(await told()).toMatchObject({
      status: 403,
      body: { error: 'node_banned', message: 'The node banned is banned.' },
    });
    expect(await told(MEMBER)).toMatchObject({
      status: 403,
      body: { message: 'The node banned is banned. The reason is "malware".' },
    });
  });
});
