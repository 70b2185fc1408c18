import type { NodeVersionWire, NodeWire } from '@heddle/contracts-registry';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';
import { surface } from './surface.js';

describe('reading what is published', () => {
  const { registry, node, repository, published, anyone } = usePublishedNode();

  it('GET /nodes/{n} and its versions answer the latest first, whatever the case of the id', async () => {
    const { acme, active } = published;
    const found = await anyone<NodeWire>(`/nodes/${node.toUpperCase()}`);
    expect(found).toMatchObject({
      ...{ id: node, status: 'NodeStatusActive', repository, rating: 0 },
      publisher: { id: acme.id, status: 'PublisherStatusActive', members: [{ role: 'owner', user: { email: '' } }] },
      latest_version: { version: '1.10.0' },
    });
    const versions = await anyone<NodeVersionWire[]>(`/nodes/${node}/versions`);
    const open = surface.credential === 'keys' ? [] : ['3.0.0'];
    expect(versions.map(({ version }) => version)).toEqual([...open, '2.0.0-beta.1', '1.10.0', '1.9.0']);
    const statuses = 'statuses=NodeVersionStatusFlagged&statuses=NodeVersionStatusBanned';
    expect(await anyone(`/nodes/${node}/versions?${statuses}`)).toEqual([]);
    expect(await anyone(`/nodes/${node}/versions/v1.10`)).toEqual(active);
    for (const path of ['/nodes/nothing', '/nodes/nothing/versions', `/nodes/${node}/versions/9.9.9`]) {
      expect(refusalOf(await registry.anyone.get(path)), path).toBe('404 not_found');
    }
    expect(refusalOf(await registry.anyone.get(`/nodes/${node}/versions?statuses=x`))).toBe('400 invalid_parameter');
  });
});
