import type { ChangeWire } from '@heddle/contracts-registry';
import { eventually } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, anyone } = usePublishedNode();

  it('GET /changes follows the log: every event of the node once, in order', async () => {
    const changes: ChangeWire[] = [];
    let after = 0;
    await eventually('all changes of the node', async () => {
      for (;;) {
        const page = await anyone<{ changes: ChangeWire[]; next: number }>(`/changes?after=${after}&limit=1000`);
        changes.push(...page.changes);
        if (page.changes.length === 0) expect(page.next).toBe(after);
        after = page.next;
        if (page.changes.length === 0) break;
      }
      return changes.some(({ node_id: id, version }) => id === node && version === '3.0.0');
    });
    expect(changes.every(({ seq }, at) => at === 0 || seq > changes[at - 1]!.seq)).toBe(true);
    const types = changes.filter(({ node_id: id, version }) => id === node && version === '1.10.0');
    expect(types.map(({ type }) => type)).toEqual([
      ...['VersionPublished', 'VersionUploaded', 'VersionScanned', 'VersionExtracted'],
    ]);
    expect(refusalOf(await registry.anyone.get('/changes?after=-1'))).toBe('400 invalid_parameter');
  });
});
