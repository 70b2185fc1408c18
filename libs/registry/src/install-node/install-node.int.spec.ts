import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

describe('an installation', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
    await makePublisher(registry, 'acme');
    await makeNode(registry, 'acme', 'Pack-A');
    await makeNode(registry, 'acme', 'empty');
    await makeVersion(registry, 'Pack-A', '1.2.0');
    await makeVersion(registry, 'Pack-A', '1.10.0');
    await makeVersion(registry, 'Pack-A', '2.0.0-rc.1');
    await makeVersion(registry, 'Pack-A', '3.0.0', { deprecated: true });
    await makeVersion(registry, 'Pack-A', '4.0.0', { status: 'flagged' });
    await makeVersion(registry, 'Pack-A', '5.0.0', { status: 'pending' });
    await makeVersion(registry, 'Pack-A', '6.0.0', { status: 'banned' });
    await makeVersion(registry, 'Pack-A', '7.0.0', { status: 'deleted' });
  });
  afterAll(() => registry.close());

  const install = async (query: string, headers: Record<string, string> = {}) =>
    await get(registry, `/nodes/pack-a/install${query}`, { headers });
  const downloads = async (): Promise<number> =>
    ((await get(registry, '/nodes/pack-a')).body as { readonly downloads: number }).downloads;

  it('gets the latest release that is active and not deprecated', async () => {
    expect((await install('')).body).toMatchObject({ version: '1.10.0', status: 'NodeVersionStatusActive' });
  });

  it.each([
    ['1.2', 200, '1.2.0'],
    ['2.0.0-rc.1', 200, '2.0.0-rc.1'],
    ['4.0.0', 200, '4.0.0'],
    ['5.0.0', 404, undefined],
    ['6.0.0', 403, undefined],
    ['7.0.0', 404, undefined],
    ['9.9.9', 404, undefined],
    ['01.0', 400, undefined],
  ])('of exactly %s is answered %i', async (version, status, found) => {
    const answer = await install(`?version=${version}`);
    expect([answer.status, (answer.body as { readonly version?: string }).version]).toEqual([status, found]);
  });

  it('counts once, and not where it is only looked at or refused', async () => {
    const before = await downloads();
    await install('?version=1.2.0');
    await install('', { 'x-install-dry-run': '1' });
    await get(registry, '/nodes/pack-a/install', { method: 'HEAD' });
    await install('?version=5.0.0');
    expect(await downloads()).toBe(before + 1);
  });

  it('of a node without an active version, and of no node, finds nothing', async () => {
    for (const node of ['empty', 'nobody', 'no%20id']) {
      expect((await get(registry, `/nodes/${node}/install`)).status).toBe(404);
    }
  });
});
