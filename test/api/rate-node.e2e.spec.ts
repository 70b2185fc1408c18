import type { NodeWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { newId } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

describe('managing what is published', () => {
  const { registry, publishers, ask } = usePublishers();

  it('rates and reports a node', async () => {
    const { acme } = publishers;
    const node = newId('rated');
    await acme.published(node, '1.0.0');
    for (const star of [2, 4]) {
      const rated = expectStatus(await registry.account.send('POST', `/nodes/${node}/reviews?star=${star}`), 200);
      expect(jsonOf<NodeWire>(rated).rating).toBe(star);
    }
    expect(await ask('POST', `/nodes/${node}/reviews?star=6`)).toBe('400 invalid_parameter');
    expect(await ask('POST', '/nodes/nothing/reviews?star=1')).toBe('404 not_found');
    expect(await ask('POST', `/nodes/${node}/reports`, { reason: 'spam', message: 'm' })).toBe('202');
    expect(await ask('POST', `/nodes/${node}/reports`, { reason: 'dislike' })).toBe('400 invalid_request');
  });
});
