import { describe, expect, it } from 'vitest';
import { hasAdmin, useModeratedNode } from './moderated-node.fixture.js';

describe.runIf(hasAdmin)('what an operator decides', () => {
  const { node, admin, shown, bulk } = useModeratedNode();

  it('a banned version has no bytes and is 403, until it is restored', async () => {
    const review = (status: string) => admin(`nodes/${node}/versions/1.0.0/review`, { status, reason: 'why' });
    await review('banned');
    expect(await shown(`/nodes/${node}/versions/1.0.0`)).toBe('403 node_banned');
    expect(await bulk()).toMatchObject({ status: 'NodeVersionStatusBanned', downloadUrl: '' });
    await review('active');
    expect(await shown(`/nodes/${node}/versions/1.0.0`)).toBe('200');
  });
});
