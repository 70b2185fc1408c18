import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';
import type { ClassPage } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, classes, anyone } = usePublishedNode();
  const [, , gamma] = classes;

  it('GET /nodes/{n}/versions/{v}/wf-nodes and …/{name} answer the classes of a version', async () => {
    const path = `/nodes/${node}/versions/2.0.0-beta.1/wf-nodes`;
    const page = await anyone<ClassPage & { totalNumberOfPages: number }>(`${path}?limit=2&page=2`);
    expect([page.wf_nodes.length, page.totalNumberOfPages]).toEqual([1, 2]);
    expect(await anyone(`${path}/${gamma}`)).toEqual(page.wf_nodes[0]);
    expect(refusalOf(await registry.anyone.get(`${path}/Nothing`))).toBe('404 not_found');
    expect(refusalOf(await registry.anyone.get(`/nodes/${node}/versions/9.9.9/wf-nodes`))).toBe('404 not_found');
  });
});
