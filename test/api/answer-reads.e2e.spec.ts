import { expectStatus } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node } = usePublishedNode();

  it('answers 304 to whom has the answer, and HEAD as GET, for every cached read', async () => {
    const paths = [`/nodes/${node}`, `/nodes/${node}/versions/1.9.0`, `/index/${node}`, '/keys', '/openapi.json'];
    for (const path of paths) {
      const first = expectStatus(await registry.anyone.get(path), 200);
      const { etag } = first.headers;
      expect(etag, path).toMatch(/^"[^"]+"$/);
      expect(first.headers['cache-control'], path).toBe('public, max-age=60');
      expectStatus(await registry.anyone.get(path, { 'if-none-match': etag }), 304);
      expect((await registry.anyone.request('HEAD', path)).headers.etag, path).toBe(etag);
    }
  });
});
