import { eventually } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { FOLLOWS_MS, usePublishedNode } from './published-node.fixture.js';
import type { ClassPage } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, classes, anyone } = usePublishedNode();
  const [alpha, beta] = classes;

  it('GET /wf-nodes lists the classes of the latest version, or of the one that is named, in pages [RG03]', async () => {
    const latest = await eventually(
      'the classes',
      async () => {
        const page = await anyone<ClassPage>(`/wf-nodes?node_id=${node}`);
        return page.total === 2 && page;
      },
      FOLLOWS_MS,
    );
    const [first, second] = latest.wf_nodes;
    expect([first!.wf_node_name, second!.wf_node_name]).toEqual([alpha, beta]);
    expect(first).toMatchObject({ node_id: node, node_version: '1.10.0', policy: 'WfNodePolicyActive', unknown: [] });
    expect(Object.keys(JSON.parse(first!.input_types) as object)).toEqual(['required']);
    expect([JSON.parse(first!.return_types), first!.output_is_list]).toEqual([
      ['IMAGE', 'MASK'],
      [false, false],
    ]);
    const page = await anyone<ClassPage>(`/wf-nodes?node_id=${node}&page=2&pageSize=1`);
    expect([page.total, page.wf_nodes]).toEqual([2, [second]]);
    expect(await anyone(`/wf-nodes?node_id=${node}&page=999`)).toMatchObject({ wf_nodes: [], total: 2 });
    expect(await anyone(`/wf-nodes?node_id=${node}&node_version=2.0.0-beta.1`)).toMatchObject({ total: 3 });
    const named = `/wf-nodes?node_id=${node}&node_version=1.9.0&wf_node_name=${beta}`;
    expect(await anyone(named)).toMatchObject({ total: 1, wf_nodes: [{ wf_node_name: beta, node_version: '1.9.0' }] });
    expect(await anyone('/wf-nodes?node_id=nothing')).toMatchObject({ wf_nodes: [], total: 0 });
    for (const query of ['page=0', 'page=-1', 'page=a', 'pageSize=0', 'pageSize=100000', 'page=1&page=2']) {
      expect(refusalOf(await registry.anyone.get(`/wf-nodes?${query}`)), query).toBe('400 invalid_parameter');
    }
  });
});
