import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';
import { ReadCache } from './read-cache.js';

describe('kept answers of reads', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
    await makePublisher(registry, 'acme');
    for (const node of ['Pack', 'other']) {
      await makeNode(registry, 'acme', node);
      await makeVersion(registry, node, '1.0.0');
    }
  });
  afterAll(() => registry.close());

  const LISTS = ['/nodes', '/nodes?sort=downloads', '/publishers/acme/nodes', '/nodes/search'];
  const OF_NODE = ['/nodes/pack', '/nodes/Pack'];
  const OTHERS = ['/nodes/other', '/nodes/pack/versions', '/nodes/pack/versions/1.0.0', '/index/pack'];
  const readAll = async (): Promise<void> => {
    for (const path of [...LISTS, ...OF_NODE, ...OTHERS]) expect((await get(registry, path)).status, path).toBe(200);
  };
  /** However old: the time that they are good for is not asked. */
  const kept = (paths: readonly string[]): string[] => {
    const cache = registry.app.get(ReadCache);
    return paths.filter((path) => cache.find(`  ${registry.url} ${path}`, 0) !== null);
  };
  const downloads = async (): Promise<unknown> =>
    ((await get(registry, '/nodes/pack')).body as { readonly downloads: number }).downloads;

  it('outlive a download, but for those that show its count', async () => {
    await readAll();
    expect(kept([...LISTS, ...OF_NODE, ...OTHERS])).toHaveLength(10);
    for (const count of [1, 2]) {
      expect((await get(registry, '/nodes/PACK/install')).status).toBe(200);
      expect([kept([...LISTS, ...OF_NODE]), kept(OTHERS)]).toEqual([[], OTHERS]);
      expect(await downloads()).toBe(count);
      await readAll();
    }
  });

  it('outlive a look at what would be installed', async () => {
    await readAll();
    await get(registry, '/nodes/pack/install', { headers: { 'x-install-dry-run': '1' } });
    expect(kept([...LISTS, ...OF_NODE, ...OTHERS])).toHaveLength(10);
  });

  it('end with a change, whatever they show', async () => {
    await readAll();
    await makeVersion(registry, 'other', '2.0.0');
    expect(kept([...LISTS, ...OF_NODE, ...OTHERS])).toEqual([]);
  });

  it('make room when they are dropped or replaced, so that others stay', () => {
    const cache = registry.app.get(ReadCache);
    cache.changed();
    const large = { body: 'x'.repeat(4 * 1024 ** 2), tag: '"t"', contentType: 'application/json' };
    cache.keep('another one', { ...large, body: '{}' }, cache.now(), null);
    for (let times = 0; times < 10; times++) {
      cache.keep('a list', large, cache.now(), 'every');
      cache.downloaded('pack');
      cache.keep('a version', large, cache.now(), null);
    }
    expect(cache.find('another one', 0)?.body).toBe('{}');
  });

  it('are none of before a download that came meanwhile', () => {
    const cache = registry.app.get(ReadCache);
    const answer = { body: '{}', tag: '"t"', contentType: 'application/json' };
    const since = cache.now();
    cache.downloaded('pack');
    cache.keep('a node', answer, since, { node: 'pack' });
    cache.keep('a list', answer, since, 'every');
    cache.keep('a version', answer, since, null);
    expect(['a node', 'a list', 'a version'].map((key) => cache.find(key, 0))).toEqual([
      null,
      null,
      expect.objectContaining(answer),
    ]);
  });
});
