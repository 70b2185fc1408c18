import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry } = usePublishedNode();

  it('answers 404 below no route, 405 to another method, and 401 to a wrong bearer on a read', async () => {
    expect(refusalOf(await registry.anyone.get('/nowhere'))).toBe('404 not_found');
    const wrong = await registry.anyone.send('DELETE', '/keys');
    expect([refusalOf(wrong), wrong.headers['allow']]).toEqual([
      '405 method_not_allowed',
      expect.stringContaining('GET'),
    ]);
    expect(refusalOf(await registry.anyone.as('wrong').get('/keys'))).toBe('401 unauthorized');
    expect(refusalOf(await registry.anyone.get('/nodes/%00'))).toBe('400 invalid_request');
  });
});
