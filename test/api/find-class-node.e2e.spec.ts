import type { NodeWire } from '@heddle/contracts-registry';
import { eventually, jsonOf } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { FOLLOWS_MS, usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, classes } = usePublishedNode();
  const [alpha, , gamma] = classes;

  it('GET /wf-nodes/{name}/node answers the node that provides a class', async () => {
    const found = await eventually(
      'the class',
      async () => {
        const answer = await registry.anyone.get(`/wf-nodes/${alpha}/node`);
        return answer.status === 200 && jsonOf<NodeWire>(answer);
      },
      FOLLOWS_MS,
    );
    expect(found.id).toBe(node);
    // Only of a prerelease, which is not the latest version.
    for (const name of [gamma, 'KSamplerXYZ']) {
      expect(refusalOf(await registry.anyone.get(`/wf-nodes/${name}/node`))).toBe('404 not_found');
    }
  });
});
