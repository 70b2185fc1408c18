import type { NodePageWire } from '@heddle/contracts-registry';
import { eventually } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { FOLLOWS_MS, usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, word, classes, repository, anyone } = usePublishedNode();
  const [, beta] = classes;

  it('GET /nodes/search finds the node by its name, tag, class and repository', async () => {
    const found = async (query: string): Promise<readonly string[]> =>
      (await anyone<NodePageWire>(`/nodes/search?${query}`)).nodes.map(({ id }) => id);
    await eventually('the search', async () => (await found(`search=${word}`)).includes(node), FOLLOWS_MS);
    const encoded = encodeURIComponent(repository);
    for (const query of [
      `search=${node.toLowerCase()}`,
      `search=TAG-${word}`,
      `wf_node_search=${beta.toUpperCase()}`,
    ]) {
      expect(await found(query), query).toEqual([node]);
    }
    expect(await found(`repository_url_search=${encoded}`)).toEqual([node]);
    expect(await found(`search=${word}&supported_os=Windows`)).toEqual([]);
    const page = await anyone<NodePageWire>('/nodes/search?limit=1');
    expect(page).toMatchObject({ page: 1, limit: 1, totalPages: page.total });
    expect(refusalOf(await registry.anyone.get(`/nodes/search?search=${'x'.repeat(201)}`))).toBe(
      '400 invalid_parameter',
    );
  });
});
