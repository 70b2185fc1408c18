import { newId } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

describe('managing what is published', () => {
  const { publishers, ask } = usePublishers();

  it('claims no node that belongs to somebody', async () => {
    const { acme, other } = publishers;
    const node = newId('owned');
    await other.published(node, '1.0.0');
    expect(await ask('POST', acme.path(node, '/claim-my-node'))).toBe('409 already_set');
    expect(await ask('POST', acme.path('nothing', '/claim-my-node'))).toBe('404 not_found');
  });
});
