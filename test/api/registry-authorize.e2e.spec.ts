import { newId, refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';
import { surface } from './surface.js';

describe('managing what is published', () => {
  const { registry, publishers, withToken } = usePublishers();

  it('asks for the account on its routes: not for a token of a publisher, and on keyed surfaces not for nothing', async () => {
    const { acme } = publishers;
    const routes = [
      ['POST', '/publishers', { id: newId('p'), name: 'x' }],
      ['GET', '/users/publishers'],
      ['GET', `/publishers/${acme.id}/tokens`],
      ['POST', acme.path('x').replace(/\/x$/, ''), { id: newId('n') }],
    ] as const;
    for (const [method, path, body] of routes) {
      expect(await withToken(method, path, body), path).toBe('401 invalid_token');
      if (surface.credential !== 'keys') continue;
      expect(refusalOf(await registry.anyone.send(method, path, body)), path).toBe('401 unauthorized');
    }
  });
});
