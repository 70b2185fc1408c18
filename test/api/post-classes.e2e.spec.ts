import { describe, expect, it } from 'vitest';
import { hasAdmin, useModeratedNode } from './moderated-node.fixture.js';

describe.runIf(hasAdmin)('what an operator decides', () => {
  const { registry, node, admin } = useModeratedNode();

  it('takes the classes of an extractor once, and ranks a node', async () => {
    const classes = `nodes/${node}/versions/1.0.0/wf-nodes`;
    const found = { success: true, nodes: { Found: { input_types: '{}', return_types: '["IMAGE"]' } } };
    await admin(classes, found);
    await expect(admin(classes, found)).rejects.toThrow('already_set');
    const page = await registry.anyone.json<{ wf_nodes: unknown[] }>(`/nodes/${node}/versions/1.0.0/wf-nodes`);
    expect(page.wf_nodes).toMatchObject([{ wf_node_name: 'Found', return_types: '["IMAGE"]' }]);
    await admin(`nodes/${node}/set`, { search_ranking: 7, preempt: ['Found'], tags: ['verified'] });
    expect(await registry.anyone.json(`/nodes/${node}`)).toMatchObject({
      ...{ search_ranking: 7, preempted_wf_node_names: ['Found'], tags_admin: ['verified'] },
    });
  });
});
