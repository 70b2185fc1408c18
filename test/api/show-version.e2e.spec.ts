import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';
import { surface } from './surface.js';

describe('reading what is published', () => {
  const { registry, node, published } = usePublishedNode();

  it('shows a version without bytes to its members alone', async () => {
    const { acme } = published;
    const path = `/nodes/${node}/versions/3.0.0`;
    expect(await registry.anyone.as(acme.token).json(path)).toMatchObject({ downloadUrl: '' });
    const stranger = surface.credential === 'keys' ? '404 not_found' : '200';
    expect(refusalOf(await registry.anyone.get(path))).toBe(stranger);
    expect(refusalOf(await registry.anyone.get(`${path}/archive`))).toBe('404 not_found');
  });
});
