import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { OWNER, testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

const MEMBER = { headers: { authorization: `Bearer ${OWNER}` } };

describe('a version', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
    await makePublisher(registry, 'pub');
    await makeNode(registry, 'pub', 'Pack');
    await makeVersion(registry, 'Pack', '1.0.0');
    await makeVersion(registry, 'Pack', '1.11.0', { status: 'pending' });
    await makeVersion(registry, 'Pack', '2.0.0', { status: 'flagged', reason: '["found"]' });
    await makeVersion(registry, 'Pack', '3.0.0', { status: 'banned', reason: 'bad' });
    await makeVersion(registry, 'Pack', '4.0.0', { status: 'deleted' });
  });
  afterAll(() => registry.close());

  it.each([
    ['1.0.0', 200, 200],
    ['v1.0', 200, 200],
    ['1.11.0', 404, 200],
    ['2.0.0', 200, 200],
    ['3.0.0', 403, 403],
    ['4.0.0', 404, 200],
    ['9.0.0', 404, 404],
  ])('%s is shown to a stranger with %i, to a member with %i', async (version, stranger, member) => {
    const path = `/nodes/pack/versions/${version}`;
    expect([(await get(registry, path)).status, (await get(registry, path, MEMBER)).status]).toEqual([
      stranger,
      member,
    ]);
  });

  it('has its reason for members alone', async () => {
    const path = '/nodes/pack/versions/2.0.0';
    expect((await get(registry, path)).body).toMatchObject({ status_reason: '' });
    expect((await get(registry, path, MEMBER)).body).toMatchObject({ status_reason: '["found"]' });
    const told = async (init = {}) =>
      ((await get(registry, '/nodes/pack/versions/3.0.0', init)).body as { message: string }).message;
    expect([await told(), await told(MEMBER)]).toEqual([
      'The version Pack@3.0.0 is banned.',
      'The version Pack@3.0.0 is banned. The reason is "bad".',
    ]);
  });
});
