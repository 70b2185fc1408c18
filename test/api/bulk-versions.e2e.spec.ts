import type { BulkItemWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, published } = usePublishedNode();

  describe('POST /bulk/nodes/versions', () => {
    const bulk = (items: unknown, body: unknown = { node_versions: items }) =>
      registry.anyone.send('POST', '/bulk/nodes/versions', body);

    it('answers one result an item, in order, with doubles, as it was asked [RG01]', async () => {
      const { active } = published;
      const items = [
        { node_id: node, version: '1.10.0' },
        { node_id: node, version: '9.9.9' },
        { node_id: 'nothing', version: '1.0.0' },
        { node_id: node.toUpperCase(), version: 'v1.10' },
        { node_id: node, version: '1.10.0' },
        { node_id: node, version: '3.0.0' },
        { node_id: node, version: 'latest' },
      ];
      const answer = jsonOf<{ node_versions: BulkItemWire[] }>(expectStatus(await bulk(items), 200));
      const found = answer.node_versions;
      expect(found.map(({ identifier }) => identifier)).toEqual(items);
      expect(found.map(({ status, node_version: version }) => [status, version?.status])).toEqual([
        ['success', 'NodeVersionStatusActive'],
        ['not_found', undefined],
        ['not_found', undefined],
        ['success', 'NodeVersionStatusActive'],
        ['success', 'NodeVersionStatusActive'],
        ['success', 'NodeVersionStatusPending'],
        ['not_found', undefined],
      ]);
      expect(found[3]!.node_version).toMatchObject({ id: active.id, node_id: node, version: '1.10.0' });
      expect(Object.keys(found[0]!).sort()).toEqual(['identifier', 'node_version', 'status']);
    });

    it('takes 0 to 100 items, and answers 400 to more and to another shape [RG02]', async () => {
      expect(jsonOf(expectStatus(await bulk([]), 200))).toEqual({ node_versions: [] });
      const many = Array.from({ length: 100 }, () => ({ node_id: node, version: '1.10.0' }));
      expect(jsonOf<{ node_versions: unknown[] }>(expectStatus(await bulk(many), 200)).node_versions).toHaveLength(100);
      const wrong = [{}, { node_versions: 'x' }, { node_versions: [{ node_id: node }] }, '{', []];
      for (const body of wrong) expect(refusalOf(await bulk(null, body))).toBe('400 invalid_request');
      expect(refusalOf(await bulk([{ node_id: node, version: 1 }]))).toBe('400 invalid_request');
      expect(refusalOf(await bulk([...many, many[0]]))).toBe('400 invalid_request');
      expect(refusalOf(await registry.anyone.get('/bulk/nodes/versions'))).toBe('405 method_not_allowed');
    });
  });
});
