import type { NodePageWire } from '@heddle/contracts-registry';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, published, anyone } = usePublishedNode();

  it('GET /nodes and /publishers/{p}/nodes list active nodes in pages', async () => {
    const { acme } = published;
    const own = await anyone<NodePageWire>(`/publishers/${acme.id}/nodes`);
    expect(own).toMatchObject({ total: 1, page: 1, limit: 10, totalPages: 1, nodes: [{ id: node }] });
    const newest = await anyone<NodePageWire>('/nodes?sort=created_at;desc&limit=100');
    expect(newest.nodes.map(({ id }) => id)).toContain(node);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect(await anyone(`/nodes?timestamp=${later}`)).toMatchObject({ nodes: [], total: 0 });
    for (const query of ['limit=101', 'limit=0', 'sort=secret', 'timestamp=yesterday']) {
      expect(refusalOf(await registry.anyone.get(`/nodes?${query}`)), query).toBe('400 invalid_parameter');
    }
    expect(refusalOf(await registry.anyone.get('/publishers/nobody-there/nodes'))).toBe('404 not_found');
  });
});
