import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'pub');
  const nodes = [
    ['any', { description: 'It can upscale pictures', repository: 'https://forge.test/Some/Any' }, []],
    ['any2', { description: 'Pre-upscaler' }, []],
    ['tagged', { tags: ['Upscale'] }, []],
    ['by-author', { author: 'UPSCALE' }, []],
    ['with-class', {}, ['Upscale', 'KSamplerTwo', 'Blur2x']],
    ['my_upscale_pack', {}, []],
    ['upscale-more', {}, []],
    ['named', { name: 'Upscale' }, []],
    ['UpScale', {}, []],
    ['日本', { name: '画像処理' }, []],
  ] as const;
  for (const [given, text, classes] of nodes) {
    const id = given === '日本' ? 'japan' : given;
    await makeNode(registry, 'pub', id, text);
    await makeVersion(registry, id, '1.0.0', { classes });
  }
  await makeNode(registry, 'pub', 'upscale-nothing');
  await makeNode(registry, 'pub', 'upscale-flagged');
  await makeVersion(registry, 'upscale-flagged', '1.0.0', { status: 'flagged' });
});
afterAll(() => registry.close());

async function search(query: string): Promise<readonly string[]> {
  const { status, body } = await get(registry, `/nodes/search?limit=100&${query}`);
  expect(status, query).toBe(200);
  const { nodes, total } = body as { nodes: { id: string }[]; total: number };
  expect(total).toBe(nodes.length);
  return nodes.map(({ id }) => id);
}

const BY_MATCH = ['UpScale', 'named', 'upscale-more', 'my_upscale_pack', 'with-class', 'by-author', 'tagged'];

describe('a search', () => {
  it('has the better matches first, of nodes with an active version', async () => {
    expect(await search('search=upscale')).toEqual([...BY_MATCH, 'any', 'any2']);
    expect(await search('search=UPSCALE')).toEqual(await search('search=upscale'));
  });

  it('orders equal matches by ranking, then downloads, then id', async () => {
    await get(registry, '/nodes/any2/install');
    expect((await search('search=upscale')).slice(-2)).toEqual(['any2', 'any']);
    await registry.log.commit(async (unit) => {
      const node = (await unit.node('any'))!;
      const ranks = { search_ranking: 5, preempted: [], tags_admin: ['curated'] };
      await unit.changeNode(node, [{ type: 'NodeChanged', data: { actor: 'admin', text: null, ranks } }]);
    });
    expect((await search('search=upscale')).slice(-2)).toEqual(['any', 'any2']);
    expect(await search('search=curated')).toEqual(['any']);
  });

  it('finds parts of words, all words of several, short ones by their beginning, and similar names', async () => {
    expect(await search('search=pscal')).toHaveLength(9);
    expect(await search('search=pictures%20upscale')).toEqual(['any']);
    expect(await search('search=my')).toEqual(['my_upscale_pack']);
    expect(await search('search=sampler')).toEqual(['with-class']);
    expect(await search('search=myupscalepack')).toContain('my_upscale_pack');
    expect(await search(`search=${encodeURIComponent('像処')}`)).toEqual(['japan']);
    expect(await search('search=zzzzqqqq')).toEqual([]);
  });

  it('by class name or repository alone finds those', async () => {
    expect(await search('wf_node_search=ksampler')).toEqual(['with-class']);
    expect(await search('wf_node_search=upscale')).toEqual(['with-class']);
    // A digit before an upper-case letter is no end of a word here: case does not count.
    expect(await search('wf_node_search=BLUR2X')).toEqual(['with-class']);
    expect(await search('wf_node_search=pictures')).toEqual([]);
    expect(await search('repository_url_search=some/any')).toEqual(['any']);
    expect(await search('search=upscale&wf_node_search=upscale')).toEqual(['with-class']);
    expect(await search('supported_os=linux&supported_accelerator=cuda')).toEqual([]);
    expect(await search('search=upscale&repository_url_search=FORGE.test')).toEqual(['any']);
  });

  it('with several filters finds what holds all of them, also by a similar name', async () => {
    expect(await search('search=upscale&wf_node_search=blur2x')).toEqual(['with-class']);
    expect(await search('search=with-clas&wf_node_search=blur2x')).toEqual(['with-class']);
    expect(await search('search=with-klass&wf_node_search=blur2x')).toEqual(['with-class']);
    expect(await search('search=x&wf_node_search=RA')).toEqual([]);
    expect(await search('search=any&repository_url_search=forge.test')).toEqual(['any']);
    expect(await search('search=a&wf_node_search=a&repository_url_search=a&supported_os=linux')).toEqual([]);
  });

  it('for nothing finds all, by id', async () => {
    const all = await search('search=');
    expect(all).toHaveLength(10);
    expect(all).toEqual([...all].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
  });

  it('is paged, and empty past the end', async () => {
    const { body } = await get(registry, '/nodes/search?search=upscale&page=2&limit=4');
    expect(body).toMatchObject({ total: 9, page: 2, limit: 4, totalPages: 3 });
    expect((body as { nodes: { id: string }[] }).nodes.map(({ id }) => id)).toEqual(BY_MATCH.slice(4, 7).concat('any'));
    expect((await get(registry, '/nodes/search?page=1000000000')).body).toMatchObject({ nodes: [], total: 10 });
  });

  it('takes 200 characters, and no more', async () => {
    expect(await search(`search=${'x'.repeat(200)}`)).toEqual([]);
    const { status, body } = await get(registry, `/nodes/search?search=${'x'.repeat(201)}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_parameter' } });
  });
});
